package photon.storage.output.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.protobuf.ByteString;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.core.config.OutputConfig;
import photon.core.config.OutputConfig.Compression;
import photon.core.config.OutputConfig.Field;
import photon.core.config.OutputConfig.FieldType;
import photon.core.config.OutputConfig.Format;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.storage.output.format.OutputFormat.EventWriter;
import photon.storage.output.format.OutputFormat.Origin;

/** Reads Parquet output by a reader that shares no code with its writer. */
class ParquetByPyarrowTest {
    private static final List<Field> FIELDS =
            List.of(
                    new Field("id", FieldType.STRING, "id"),
                    new Field("at", FieldType.TIMESTAMP_MICROS, "timestampMicros"),
                    new Field("position", FieldType.LONG, "foreign.position"),
                    new Field("price", FieldType.DOUBLE, "foreign.price"),
                    new Field("paid", FieldType.BOOLEAN, "primary.paid"),
                    new Field("whole", FieldType.JSON, "primary"));

    @TempDir Path directory;

    /** The variable names a Python in which {@code pip install pyarrow} was run. */
    @Test
    void rowsAreEqualToTheLines() throws Exception {
        String python = System.getenv("PHOTON_TEST_PYARROW");
        assumeTrue(python != null, "PHOTON_TEST_PYARROW names no Python with pyarrow");
        Path script = directory.resolve("compare.py");
        try (InputStream in =
                Objects.requireNonNull(getClass().getResourceAsStream("compare.py"))) {
            Files.copy(in, script);
        }
        Path lines = directory.resolve("events.jsonl");
        write(OutputConfig.DEFAULTS, lines);
        for (Compression compression : Format.PARQUET.compressions()) {
            Path rows = directory.resolve(compression.text() + ".parquet");
            write(new OutputConfig(Format.PARQUET, compression, FIELDS), rows);
            assertThat(compare(Objects.requireNonNull(python), script, rows, lines))
                    .as(compression.text())
                    .isEqualTo("2000 rows are equal\n");
        }
    }

    private static String compare(String python, Path script, Path rows, Path lines)
            throws Exception {
        List<String> command =
                new ArrayList<>(
                        List.of(python, script.toString(), rows.toString(), lines.toString()));
        for (Field field : FIELDS) {
            command.add(field.name() + "=" + field.type().text() + "=" + field.from());
        }
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (InputStream printed = process.getInputStream()) {
            String text = new String(printed.readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            return text;
        } finally {
            process.destroyForcibly();
        }
    }

    private static void write(OutputConfig config, Path file) throws Exception {
        try (OutputStream out = Files.newOutputStream(file);
                EventWriter writer = OutputFormats.of(config).of("").begin(out)) {
            for (int n = 0; n < 2_000; n++) {
                Origin origin =
                        new Origin(
                                new EventId(n, 0, 0, 1),
                                new CommitToken(1, 1, n),
                                new EventId(n, 0, 0, 2));
                writer.write(origin, ByteString.copyFromUtf8(event(n)));
            }
            writer.end();
        }
    }

    /** With values that are missing or null here and there. */
    private static String event(int n) {
        return "{\"id\":\"c-%d-ü\",\"timestampMicros\":%d,\"foreign\":{\"position\":%s,\"price\":%d.25},\"primary\":%s}"
                .formatted(
                        n,
                        1_700_000_000_000_000L + n,
                        n % 7 == 0 ? "null" : Long.toString(n * 1_000_000_007L),
                        n,
                        n % 5 == 0
                                ? "null"
                                : "{\"paid\":%s,\"tags\":[1,\"ü\"]}".formatted(n % 2 == 0));
    }
}
