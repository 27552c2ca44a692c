package photon.storage.output.format;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.ZstdInputStream;
import com.google.protobuf.ByteString;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.file.SeekableByteArrayInput;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.parquet.avro.AvroParquetReader;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.io.LocalInputFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import photon.core.config.OutputConfig;
import photon.core.config.OutputConfig.Compression;
import photon.core.config.OutputConfig.Field;
import photon.core.config.OutputConfig.FieldType;
import photon.core.config.OutputConfig.Format;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.proto.v1.FramedRecord;
import photon.storage.files.MemoryFileStore;
import photon.storage.frames.FrameReader;
import photon.storage.output.format.OutputFormat.Origin;

class OutputFormatsTest {
    private static final List<Field> FIELDS =
            List.of(
                    new Field("id", FieldType.STRING, "id"),
                    new Field("at", FieldType.TIMESTAMP_MICROS, "timestampMicros"),
                    new Field("seen", FieldType.TIMESTAMP_MILLIS, "foreign.seen"),
                    new Field("price", FieldType.DOUBLE, "foreign.price"),
                    new Field("position", FieldType.LONG, "foreign.position"),
                    new Field("paid", FieldType.BOOLEAN, "primary.paid"),
                    new Field("whole", FieldType.JSON, "primary"));

    @TempDir Path directory;

    private static Stream<OutputConfig> all() {
        return Stream.of(Format.values())
                .flatMap(
                        type ->
                                type.compressions().stream()
                                        .map(
                                                compression ->
                                                        new OutputConfig(
                                                                type,
                                                                compression,
                                                                type.hasSchema()
                                                                        ? FIELDS
                                                                        : List.of())));
    }

    private static OutputConfig parquet() {
        return new OutputConfig(Format.PARQUET, Compression.ZSTD, FIELDS);
    }

    private static ByteString event(int n) {
        return ByteString.copyFromUtf8(
                ("{\"id\":\"c-%d\",\"timestampMicros\":%d,\"foreign\":{\"seen\":%d,\"price\":\"%d.5\",\"position\":%d},"
                                + "\"primary\":{\"paid\":%s,\"tags\":[1,\"ü\"]}}")
                        .formatted(
                                n,
                                1_700_000_000_000_000L + n,
                                1_700_000_000_000L + n,
                                n,
                                n,
                                n % 2 == 0));
    }

    private static Origin origin(int n) {
        return new Origin(
                new EventId(5, 1, n, EventId.USER_PROCESS),
                new CommitToken(3, 17, n),
                new EventId(4, 0, n, 7));
    }

    private static byte[] file(OutputFormat format, int events) throws IOException {
        ByteArrayOutputStream file =
                new ByteArrayOutputStream() {
                    @Override
                    public void close() throws IOException {
                        throw new IOException("Only the owner closes the file");
                    }
                };
        try (OutputFormat.EventWriter writer = format.begin(file)) {
            for (int n = 0; n < events; n++) {
                writer.write(origin(n), event(n));
            }
            writer.end();
        }
        return file.toByteArray();
    }

    @ParameterizedTest
    @MethodSource("all")
    void whatIsWrittenIsReadBackByTheFormatsOwnLibrary(OutputConfig config) throws IOException {
        for (int events : new int[] {0, 1, 5_000}) {
            byte[] bytes = file(OutputFormats.of(config).of(""), events);
            List<String> read =
                    switch (config.format()) {
                        case JSON_LINES -> lines(bytes, config.compression());
                        case AVRO -> ids(avro(bytes));
                        case PARQUET -> ids(parquet(bytes));
                        case FRAMED -> payloads(bytes, config.compression());
                    };
            List<String> expected = new ArrayList<>();
            for (int n = 0; n < events; n++) {
                expected.add(config.format().hasSchema() ? "c-" + n : event(n).toStringUtf8());
            }
            assertThat(read).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @MethodSource("all")
    void theSameEventsGiveTheSameBytes(OutputConfig config) throws IOException {
        OutputFormats formats = OutputFormats.of(config);
        OutputFormats again = OutputFormats.described(formats.description());
        assertThat(again.of("").suffix()).isEqualTo(formats.of("").suffix());
        assertThat(again.description()).isEqualTo(formats.description());
        assertThat(file(again.of(""), 100)).isEqualTo(file(formats.of(""), 100));
    }

    @Test
    void aNamedOutputHasAFormatOfItsOwnAndADescriptionKeepsIt() throws IOException {
        OutputConfig late = new OutputConfig(Format.FRAMED, Compression.ZSTD, List.of());
        OutputConfig config =
                new OutputConfig(Format.PARQUET, Compression.NONE, FIELDS, Map.of("late", late));
        for (OutputFormats formats :
                List.of(
                        OutputFormats.of(config),
                        OutputFormats.described(OutputFormats.of(config).description()))) {
            assertThat(formats.of("").suffix()).isEqualTo(".parquet");
            assertThat(formats.of("other").suffix()).isEqualTo(".parquet");
            assertThat(formats.of("late").suffix()).isEqualTo(".framed.zst");
            assertThat(formats.needPrimaryIds()).isTrue();
            ByteString event = ByteString.copyFromUtf8("{\"timestampMicros\":\"soon\"}");
            assertThat(formats.refusal("", event)).contains("column 'at'");
            assertThat(formats.refusal("late", event)).isNull();
        }
        assertThat(OutputFormats.of(parquet()).needPrimaryIds()).isFalse();
    }

    @Test
    void aFrameHasTokenBothIdsAndTheEventsPlaceAmongThoseOfItsForeignEvent() throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (OutputFormat.EventWriter writer = framed().begin(file)) {
            writer.write(origin(1), event(1));
            writer.write(origin(1), event(2));
            writer.write(origin(2), event(3));
            writer.end();
        }
        List<FramedRecord> records = records(file.toByteArray());
        assertThat(records.stream().map(FramedRecord::getOrdinal)).containsExactly(0, 1, 0);
        FramedRecord second = records.get(1);
        assertThat(EventId.read(second.getId())).isEqualTo(origin(1).id());
        assertThat(EventId.read(second.getPrimaryId())).isEqualTo(origin(1).primaryId());
        assertThat(CommitToken.read(second.getToken().asReadOnlyByteBuffer()))
                .isEqualTo(origin(1).token());
        assertThat(second.getJson()).isEqualTo(event(2));
    }

    /** As a double, an amount of more than some 16 digits would be another one. */
    @Test
    void aDecimalInAColumnOfJsonStaysAsItIs() throws IOException {
        OutputFormat format = OutputFormats.of(parquet()).of("");
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        String primary = "{\"cents\":12345678901234567890.10,\"rate\":1.50,\"n\":7}";
        try (OutputFormat.EventWriter writer = format.begin(file)) {
            writer.write(origin(0), ByteString.copyFromUtf8("{\"primary\":" + primary + "}"));
            writer.end();
        }
        assertThat(parquet(file.toByteArray()).get(0).get("whole")).hasToString(primary);
    }

    /** What Jackson takes for UTF-32 fails in another way than what is no JSON. */
    @Test
    void bytesThatAreNoTextAreRefused() {
        byte[] bytes = {0, 0x41, 0, 0, 0x20, 0, 0, 0};
        assertThat(OutputFormats.of(parquet()).of("").refusal(ByteString.copyFrom(bytes)))
                .startsWith("Expected a JSON object, but ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "7 | Expected a JSON object, but the record is none",
                "{\"id\": | Expected a JSON object, but it is broken",
                "{} {} | Expected one JSON object, but more follows it",
            })
    void whatTheNextPipelineCouldNotReadIsNoFrame(String event, String why) throws IOException {
        assertThat(framed().refusal(ByteString.copyFromUtf8(event))).startsWith(why);
        assertThat(framed().refusal(event(1))).isNull();
        ByteString long8 = ByteString.copyFrom(new byte[FramedFiles.EVENT_BYTES_MAX + 1]);
        assertThat(framed().refusal(long8)).contains("at most 8387584 bytes");
    }

    private static OutputFormat framed() {
        return OutputFormats.of(new OutputConfig(Format.FRAMED, Compression.NONE, List.of()))
                .of("");
    }

    @Test
    void columnsHaveTheirTypesAndValues() throws IOException {
        byte[] bytes = file(OutputFormats.of(parquet()).of(""), 3);
        GenericRecord row = parquet(bytes).get(2);
        assertThat(row.get("at")).hasToString("2023-11-14T22:13:20.000002Z");
        assertThat(row.get("seen")).hasToString("2023-11-14T22:13:20.002Z");
        assertThat(row.get("price")).isEqualTo(2.5);
        assertThat(row.get("position")).isEqualTo(2L);
        assertThat(row.get("paid")).isEqualTo(true);
        assertThat(row.get("whole").toString()).isEqualTo("{\"paid\":true,\"tags\":[1,\"ü\"]}");
        assertThat(row.getSchema().getField("at").schema().toString()).contains("timestamp-micros");
    }

    @Test
    void whatIsNotThereIsNull() throws IOException {
        OutputFormat format = OutputFormats.of(parquet()).of("");
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (OutputFormat.EventWriter writer = format.begin(file)) {
            writer.write(origin(0), ByteString.copyFromUtf8("{\"id\":null,\"foreign\":7}"));
            writer.end();
        }
        GenericRecord row = parquet(file.toByteArray()).get(0);
        for (Field field : FIELDS) {
            assertThat(row.get(field.name())).as(field.name()).isNull();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "7 | Expected a JSON object, but got NUMBER",
                "{\"id\": | Expected a JSON object, but Unexpected end-of-input",
                "{\"id\":{\"a\":1}} | Expected a text (or type json) in id for the output's column 'id', but got {\"a\":1}",
                "{\"timestampMicros\":\"soon\"} | Expected a whole number in timestampMicros for the output's column 'at', but got \"soon\"",
                "{\"timestampMicros\":1.5} | Expected a whole number in timestampMicros",
                "{\"timestampMicros\":9223372036854775808} | Expected a whole number in timestampMicros",
                "{\"foreign\":{\"price\":\"cheap\"}} | Expected a number in foreign.price for the output's column 'price', but got \"cheap\"",
                "{\"primary\":{\"paid\":1}} | Expected true or false in primary.paid for the output's column 'paid', but got 1",
            })
    void anEventThatTheColumnsDoNotTakeIsRefusedWithColumnAndValue(String event, String why) {
        for (Format format : List.of(Format.AVRO, Format.PARQUET)) {
            OutputFormat output =
                    OutputFormats.of(new OutputConfig(format, Compression.ZSTD, FIELDS)).of("");
            assertThat(output.refusal(ByteString.copyFromUtf8(event))).startsWith(why);
            assertThat(output.refusal(event(1))).isNull();
        }
    }

    @Test
    void aFormatOfALaterVersionIsNotGuessed() {
        assertThatThrownBy(() -> OutputFormats.described("{\"format\":\"orc\"}"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("orc");
        assertThatThrownBy(() -> OutputFormats.described("orc")).isInstanceOf(IOException.class);
    }

    @Test
    void plainJsonLinesHaveNoDescription() {
        assertThat(OutputFormats.of(OutputConfig.DEFAULTS).description()).isEmpty();
    }

    private static List<String> lines(byte[] bytes, Compression compression) throws IOException {
        return new String(content(bytes, compression), UTF_8).lines().toList();
    }

    private static byte[] content(byte[] bytes, Compression compression) throws IOException {
        ByteArrayInputStream raw = new ByteArrayInputStream(bytes);
        try (var content =
                switch (compression) {
                    case GZIP -> new GZIPInputStream(raw);
                    case ZSTD -> new ZstdInputStream(raw);
                    default -> raw;
                }) {
            return content.readAllBytes();
        }
    }

    private static List<String> payloads(byte[] bytes, Compression compression) throws IOException {
        return records(content(bytes, compression)).stream()
                .map(record -> record.getJson().toStringUtf8())
                .toList();
    }

    private static List<FramedRecord> records(byte[] bytes) throws IOException {
        MemoryFileStore files = new MemoryFileStore(1);
        files.put("/file", bytes);
        List<FramedRecord> records = new ArrayList<>();
        try (var file = files.open("/file")) {
            FrameReader frames = new FrameReader(file, 0);
            FrameReader.Item item;
            while ((item = frames.next()) != null) {
                records.add(FramedRecord.parseFrom(((FrameReader.Frame) item).payload()));
            }
            assertThat(frames.torn()).isFalse();
        }
        return records;
    }

    private static List<String> ids(List<GenericRecord> rows) {
        return rows.stream().map(row -> row.get("id").toString()).toList();
    }

    private static List<GenericRecord> avro(byte[] bytes) throws IOException {
        List<GenericRecord> rows = new ArrayList<>();
        try (var reader =
                new DataFileReader<GenericRecord>(
                        new SeekableByteArrayInput(bytes), new GenericDatumReader<>())) {
            reader.forEach(rows::add);
        }
        return rows;
    }

    private List<GenericRecord> parquet(byte[] bytes) throws IOException {
        Path file = Files.write(directory.resolve("file.parquet"), bytes);
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
