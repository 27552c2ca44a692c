package photon.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.parquet.avro.AvroParquetReader;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.io.LocalInputFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.cli.Captured;
import photon.cli.JoinedPairs;
import photon.cli.LocalProcess;
import photon.cli.Repository;

/** {@code photon local} with an output that a warehouse loads as it is. */
@Tag("slow")
class PublishedFormatsTest {
    @TempDir Path directory;

    private Path config(String output) throws IOException {
        Path example = Repository.example("ads");
        String text = Files.readString(example.resolve("photon.yaml"));
        assertThat(text).contains("output: {format: json-lines}");
        return Files.writeString(
                directory.resolve("photon.yaml"),
                text.replace("output: {format: json-lines}", output)
                        .replace("impressions-*", example + "/impressions-*")
                        .replace("clicks-*", example + "/clicks-*"));
    }

    private LocalProcess local(Path config) throws IOException {
        return LocalProcess.start(
                directory,
                "",
                "local",
                "--config",
                config.toString(),
                "--until-idle",
                "1s",
                "--json");
    }

    private List<Path> published(String suffix) throws IOException {
        try (Stream<Path> all = Files.walk(directory.resolve("photon-out"))) {
            return all.filter(file -> file.toString().contains("/dt="))
                    .filter(Files::isRegularFile)
                    .peek(file -> assertThat(file.toString()).endsWith(suffix))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void theExampleOfAdsIsWrittenInColumnsAndTheRowsAreThoseOfTheAnswer() throws Exception {
        JsonNode answer = Repository.answer("ads");
        Path config =
                config(
                        """
                        output:
                          format: parquet
                          fields:
                            - {name: click, type: string, from: id}
                            - {name: impression, type: string, from: primaryId}
                            - {name: at, type: timestamp-micros, from: timestampMicros}
                        """);
        try (LocalProcess run = local(config)) {
            assertThat(run.awaitBooks().get("joined")).isEqualTo(answer.get("joined"));
        }
        List<GenericRecord> rows = new ArrayList<>();
        for (Path file : published(".parquet")) {
            rows.addAll(parquet(file));
        }
        assertThat(pairs(rows).count()).isEqualTo(answer.get("joined").asInt());
        assertThat(pairs(rows).sha256()).isEqualTo(answer.get("sha256").asText());
    }

    @Test
    void avroIsWrittenTooAndConfigTestNamesAColumnThatTakesNoValue() throws Exception {
        JsonNode answer = Repository.answer("ads");
        Path config =
                config(
                        """
                        output:
                          format: avro
                          fields:
                            - {name: click, type: string, from: id}
                            - {name: impression, type: string, from: primaryId}
                            - {name: whole, type: json, from: foreign}
                        """);
        try (LocalProcess run = local(config)) {
            assertThat(run.awaitBooks().get("joined")).isEqualTo(answer.get("joined"));
        }
        List<GenericRecord> rows = new ArrayList<>();
        for (Path file : published(".avro")) {
            try (var reader =
                    new DataFileReader<GenericRecord>(file.toFile(), new GenericDatumReader<>())) {
                reader.forEach(rows::add);
            }
        }
        assertThat(pairs(rows).sha256()).isEqualTo(answer.get("sha256").asText());
        Captured test =
                Captured.run(
                        "config",
                        "test",
                        "--config",
                        config("output: {format: avro, fields: [{name: id, type: long}]}")
                                .toString());
        assertThat(test.status()).isEqualTo(1);
        assertThat(test.stderr())
                .contains("output.fields: the output refuses the first joined pair")
                .contains("Expected a whole number in id for the output's column 'id'");
    }

    private static JoinedPairs pairs(List<GenericRecord> rows) {
        return JoinedPairs.of(
                rows.stream()
                        .map(row -> row.get("impression") + "\t" + row.get("click") + "\n")
                        .toList());
    }

    private static List<GenericRecord> parquet(Path file) throws IOException {
        List<GenericRecord> rows = new ArrayList<>();
        try (var reader =
                AvroParquetReader.<GenericRecord>builder(
                                new LocalInputFile(file), new PlainParquetConfiguration())
                        .build()) {
            GenericRecord row;
            while ((row = reader.read()) != null) {
                rows.add(row);
            }
        }
        return rows;
    }
}
