package photon.storage.tail;

import static org.assertj.core.api.Assertions.assertThat;
import static photon.storage.tail.TestLogs.badReasons;
import static photon.storage.tail.TestLogs.ids;
import static photon.storage.tail.TestLogs.utf8;

import com.google.protobuf.ByteString;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.apache.avro.Schema;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import photon.core.config.FormatConfig;
import photon.core.config.OutputConfig;
import photon.core.config.OutputConfig.Field;
import photon.core.config.OutputConfig.FieldType;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.storage.files.MemoryFileStore;
import photon.storage.output.format.OutputFormat.Origin;
import photon.storage.output.format.OutputFormats;
import photon.storage.tail.TailBatch.Item;

/** Tailing of Avro container files. */
class AvroLogTest {
    private static final Schema SCHEMA =
            new Schema.Parser()
                    .parse(
                            """
                            {"type": "record", "name": "Click", "fields": [
                                {"name": "id", "type": "string"},
                                {"name": "t", "type": "long"},
                                {"name": "pad", "type": "string"}]}
                            """);
    private static final int PER_BLOCK = 5;
    private static final int BLOCKS = 4;
    private static final String PATH = "/logs/a.avro";

    private final MemoryFileStore files = new MemoryFileStore(1);
    private final List<Integer> blockStarts = new ArrayList<>();
    private String pad = "some text that can be compressed, some text";
    private long now;

    private static CodecFactory codec(String name) {
        return name.equals("zstandard")
                ? CodecFactory.zstandardCodec(3)
                : CodecFactory.fromString(name);
    }

    /** Blocks of five records: "0" to "19". */
    private byte[] log(String codec) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (var writer = new DataFileWriter<GenericRecord>(new GenericDatumWriter<>(SCHEMA))) {
            writer.setCodec(codec(codec));
            writer.create(SCHEMA, bytes, utf8("0123456789abcdef"));
            writer.flush();
            blockStarts.clear();
            for (int i = 0; i < BLOCKS * PER_BLOCK; i++) {
                if (i % PER_BLOCK == 0) {
                    writer.sync();
                    writer.flush();
                    blockStarts.add(bytes.size());
                }
                writer.append(record(Integer.toString(i)));
            }
        }
        return bytes.toByteArray();
    }

    private GenericRecord record(String id) {
        return new GenericRecordBuilder(SCHEMA)
                .set("id", id)
                .set("t", 1_700_000_000_000_000L)
                .set("pad", pad)
                .build();
    }

    private LogTail tail(List<FilePosition> resume) {
        return new LogTail(
                files,
                TestLogs.stream(new FormatConfig.Avro(), "/logs/*.avro"),
                resume,
                Duration.ofSeconds(1),
                TestLogs.LATER);
    }

    private List<Item> poll(LogTail tail) throws IOException {
        List<Item> items = new ArrayList<>();
        TailBatch batch;
        do {
            now += Duration.ofSeconds(2).toNanos();
            batch = tail.poll(1_000, now);
            items.addAll(batch.items());
        } while (batch.more());
        return items;
    }

    private static List<String> numbers(int from, int to) {
        List<String> numbers = new ArrayList<>();
        for (int i = from; i < to; i++) {
            numbers.add(Integer.toString(i));
        }
        return numbers;
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "deflate", "snappy", "zstandard"})
    void allRecordsAreReadInOrderWhateverTheCodec(String codec) throws IOException {
        files.put(PATH, log(codec));
        LogTail tail = tail(List.of());
        List<Item> items = poll(tail);
        assertThat(ids(items)).isEqualTo(numbers(0, 20));
        assertThat(badReasons(items)).isEmpty();
        assertThat(tail.unterminated()).isEmpty();
        assertThat(tail.lag().bytes()).isZero();
        assertThat(tail.poll(10, now + Duration.ofSeconds(2).toNanos()).caughtUp()).isTrue();
        tail.close();
    }

    /** Whatever a writer has flushed: only whole blocks count, each once, and none is bad. */
    @ParameterizedTest
    @ValueSource(strings = {"null", "deflate"})
    void aBlockCountsWhenItIsWholeWithItsSyncMarker(String codec) throws IOException {
        byte[] all = log(codec);
        LogTail tail = tail(List.of());
        files.put(PATH, Arrays.copyOf(all, 1));
        List<Item> items = new ArrayList<>(poll(tail));
        for (int length = 2; length <= all.length; length++) {
            files.append(PATH, new byte[] {all[length - 1]});
            items.addAll(poll(tail));
            int end = length;
            long whole = blockStarts.stream().skip(1).filter(start -> start <= end).count();
            long expected = length == all.length ? BLOCKS : whole;
            assertThat(ids(items)).as("at %s", length).isEqualTo(numbers(0, (int) expected * 5));
        }
        assertThat(badReasons(items)).isEmpty();
        assertThat(tail.unterminated()).isEmpty();
        tail.close();
    }

    @Test
    void aBlockThatIsHalfThereIsListed() throws IOException {
        byte[] all = log("null");
        files.put(PATH, Arrays.copyOf(all, all.length - 1));
        LogTail tail = tail(List.of());
        assertThat(ids(poll(tail))).isEqualTo(numbers(0, 15));
        assertThat(tail.unterminated()).hasSize(1);
        assertThat(tail.unterminated().get(0).path()).isEqualTo(PATH);
        tail.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void readingGoesOnAtEveryPosition(boolean corrupt) throws IOException {
        byte[] all = log("deflate");
        if (corrupt) {
            all[blockStarts.get(1) + 9] ^= 0x55;
        }
        files.put(PATH, all);
        LogTail first = tail(List.of());
        List<Item> items = poll(first);
        for (int i = 0; i < items.size(); i++) {
            Item item = items.get(i);
            FilePosition position = first.position(item.file(), item.endOffset());
            LogTail second = tail(List.of(position));
            assertThat(poll(second).stream().map(Item::offset))
                    .isEqualTo(items.stream().skip(i + 1).map(Item::offset).toList());
            second.close();
        }
        first.close();
    }

    @Test
    void aFileThatIsCutBelowWhatWasReadIsReadFromItsStart() throws IOException {
        pad = pad.repeat(20); // so that the cuts are behind the bytes that a file is known by
        byte[] all = log("null");
        files.put(PATH, Arrays.copyOf(all, all.length - 3));
        LogTail tail = tail(List.of());
        assertThat(ids(poll(tail))).isEqualTo(numbers(0, 15));
        files.truncate(PATH, blockStarts.get(3) + 1); // a writer cuts off its torn block
        assertThat(ids(poll(tail))).isEmpty();
        files.truncate(PATH, blockStarts.get(2) + 1);
        List<Item> items = new ArrayList<>(poll(tail));
        items.addAll(poll(tail));
        assertThat(ids(items)).isEqualTo(numbers(0, 10));
        tail.close();
    }

    /** Stored by a version that counted otherwise: a repeat can be told, a gap cannot. */
    @Test
    void aPositionWithinARecordMakesTheFileBeReadFromItsStart() throws IOException {
        files.put(PATH, log("null"));
        LogTail first = tail(List.of());
        Item item = poll(first).get(7);
        FilePosition position = first.position(item.file(), item.endOffset() - 1);
        first.close();
        LogTail second = tail(List.of(position));
        assertThat(ids(poll(second))).isEqualTo(numbers(0, 20));
        second.close();
    }

    /** Each byte of the second block in turn, and of its marker. */
    @ParameterizedTest
    @ValueSource(strings = {"snappy", "zstandard", "null"})
    void aCorruptBlockIsCountedAndTheOthersAreRead(String codec) throws IOException {
        byte[] all = log(codec);
        TreeSet<String> others = new TreeSet<>(numbers(0, 20));
        others.removeAll(numbers(5, 10));
        int checked = 0;
        for (int at = blockStarts.get(1); at < blockStarts.get(2); at++) {
            MemoryFileStore damaged = new MemoryFileStore(1);
            byte[] bytes = all.clone();
            bytes[at] ^= 0x7E;
            damaged.put(PATH, bytes);
            LogTail tail =
                    new LogTail(
                            damaged,
                            TestLogs.stream(new FormatConfig.Avro(), "/logs/*.avro"),
                            List.of(),
                            Duration.ofSeconds(1),
                            TestLogs.LATER);
            List<Item> items = poll(tail);
            List<String> reasons = badReasons(items);
            assertThat(ids(items)).as("byte %s", at).doesNotHaveDuplicates();
            if (reasons.stream().anyMatch(reason -> reason.contains("is corrupt"))) {
                checked++;
                assertThat(reasons).hasSize(1);
                assertThat(reasons.get(0))
                        .contains("block at byte " + blockStarts.get(1))
                        .contains("goes on at byte");
                assertThat(ids(items)).as("byte %s", at).isSubsetOf(others);
            }
            tail.close();
        }
        // Without a checksum damage within a text cannot be seen.
        assertThat(checked).isGreaterThan(codec.equals("null") ? 20 : 40);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bzip2     | codec null, deflate, snappy or zstandard, but its codec is 'bzip2'",
                "not avro  | does not begin with 'Obj' and 1",
                "no record | its schema is of type string",
                "no schema | its schema is broken",
                "too large | its schema is broken: Cannot read arrays longer than 2147483639 bytes",
                "no order  | its schema is broken: No enum constant",
                "null order | its schema is broken: Cannot invoke",
                "too deep  | its schema is broken: its types are nested too deep",
                "too many  | its schema is broken: it has 9001 records and 45000 names, more than",
                "no UTF-8  | with a schema in UTF-8, but it has other bytes",
            })
    void aFileThatCannotBeReadIsToldOnce(String what, String reason) throws IOException {
        byte[] file =
                switch (what) {
                    case "bzip2" -> header(SCHEMA.toString(), "bzip2");
                    case "no record" -> header("\"string\"", "null");
                    case "no schema" -> header("{", "null");
                    case "too large" ->
                            header(
                                    ofField(
                                            "{\"type\":\"fixed\",\"name\":\"F\",\"size\":2147483640}"),
                                    "null");
                    case "no order" -> header(ofField("\"int\",\"order\":\"up\""), "null");
                    case "null order" -> header(ofField("\"int\",\"order\":null"), "null");
                    case "too deep" -> header(ofRecords(5_000, true), "null");
                    case "too many" -> header(ofRecords(9_000, false), "null");
                    case "no UTF-8" ->
                            header(
                                    ofField("\"int\",\"doc\":\"" + "\u00ff".repeat(3 << 20) + "\"")
                                            .getBytes(StandardCharsets.ISO_8859_1),
                                    "null");
                    default -> utf8("{\"id\": 1}\n{\"id\": 2}\n");
                };
        files.put(PATH, file);
        LogTail tail = tail(List.of());
        List<String> reasons = badReasons(poll(tail));
        reasons = new ArrayList<>(reasons);
        reasons.addAll(badReasons(poll(tail)));
        assertThat(reasons).hasSize(1);
        assertThat(
                        reasons.get(0)
                                .replace("with a schema, but it is broken", "its schema is broken"))
                .contains(reason);
        tail.close();
    }

    private static String ofField(String type) {
        return "{\"type\":\"record\",\"name\":\"A\",\"fields\":[{\"name\":\"a\",\"type\":%s}]}"
                .formatted(type);
    }

    /** Each has one of the one before, which may be defined behind it. */
    private static String ofRecords(int count, boolean before) {
        List<String> fields = new ArrayList<>();
        fields.add(
                "{\"name\":\"f0\",\"type\":{\"type\":\"record\",\"name\":\"R0\",\"fields\":[]}}");
        for (int i = 1; i < count; i++) {
            fields.add(
                    before ? 0 : i,
                    """
                    {"name":"f%d","type":{"type":"record","name":"R%d","fields":[{"name":"a","type":"R%d"}]}}
                    """
                            .formatted(i, i, i - 1));
        }
        return "{\"type\":\"record\",\"name\":\"A\",\"fields\":[" + String.join(",", fields) + "]}";
    }

    private static byte[] header(String schema, String codec) {
        return header(utf8(schema), codec);
    }

    private static byte[] header(byte[] schema, String codec) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(new byte[] {'O', 'b', 'j', 1, 4});
        for (byte[] text : List.of(utf8("avro.codec"), utf8(codec), utf8("avro.schema"), schema)) {
            int length = 2 * text.length;
            while (length > 0x7F) {
                bytes.write((length & 0x7F) | 0x80);
                length >>>= 7;
            }
            bytes.write(length);
            bytes.writeBytes(text);
        }
        bytes.write(0);
        bytes.writeBytes(utf8("0123456789abcdef"));
        return bytes.toByteArray();
    }

    /** Records without bytes, of a schema of which each has more values than can be visited. */
    @Test
    @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void blocksOfValuesWithoutBytesAreCorrupt() throws IOException {
        String schema = "{\"type\":\"record\",\"name\":\"R0\",\"fields\":[]}";
        for (int i = 1; i <= 40; i++) {
            schema =
                    "{\"type\":\"record\",\"name\":\"R%d\",\"fields\":[{\"name\":\"a\",\"type\":%s},{\"name\":\"b\",\"type\":\"R%d\"}]}"
                            .formatted(i, schema, i - 1);
        }
        files.put(PATH, header(schema, "null"));
        for (int i = 0; i < 3; i++) {
            files.append(PATH, new byte[] {2, 0}); // a record in no bytes
            files.append(PATH, utf8("0123456789abcdef"));
        }
        LogTail tail = tail(List.of());
        now += Duration.ofSeconds(2).toNanos();
        List<Item> first = tail.poll(1_000, now).items();
        assertThat(badReasons(first)).as("one of them fills a poll").hasSizeLessThan(2);
        List<Item> items = new ArrayList<>(first);
        items.addAll(poll(tail));
        assertThat(badReasons(items))
                .hasSize(3)
                .allSatisfy(reason -> assertThat(reason).contains("values, most of which take no"));
        tail.close();
    }

    @Test
    void aSnappyBlockThatSaysMoreThanTwoGibibytesIsCorrupt() throws IOException {
        files.put(PATH, header(SCHEMA.toString(), "snappy"));
        files.append(PATH, new byte[] {2, 2 * 10, -1, -1, -1, -1, 15, 0, 0, 0, 0, 0});
        files.append(PATH, utf8("0123456789abcdef"));
        LogTail tail = tail(List.of());
        assertThat(badReasons(poll(tail)))
                .singleElement()
                .asString()
                .contains("its content has more than 16777216 bytes uncompressed");
        tail.close();
    }

    /** A chain of pipelines: what one has written, the next one reads. */
    @ParameterizedTest
    @ValueSource(strings = {"none", "snappy", "zstd"})
    void whatPhotonWritesAsAvroIsALog(String compression) throws IOException {
        OutputConfig config =
                new OutputConfig(
                        OutputConfig.Format.AVRO,
                        OutputConfig.Compression.of(compression).orElseThrow(),
                        List.of(
                                new Field("id", FieldType.STRING, "id"),
                                new Field("t", FieldType.TIMESTAMP_MICROS, "timestampMicros")));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (var writer = OutputFormats.of(config).of("").begin(bytes)) {
            for (int i = 0; i < 3_000; i++) {
                writer.write(
                        new Origin(new EventId(i, 0, 0, 1), new CommitToken(1, 1, i), null),
                        ByteString.copyFromUtf8(
                                "{\"id\":\"%d\",\"timestampMicros\":%d}"
                                        .formatted(i, 1_700_000_000_000_000L + i)));
            }
            writer.end();
        }
        files.put(PATH, bytes.toByteArray());
        LogTail tail = tail(List.of());
        List<Item> items = new ArrayList<>(poll(tail));
        items.addAll(poll(tail));
        items.addAll(poll(tail));
        assertThat(ids(items)).isEqualTo(numbers(0, 3_000));
        assertThat(badReasons(items)).isEmpty();
        tail.close();
    }

    @Test
    void twoWritersSchemasMayDiffer() throws IOException {
        files.put(PATH, log("null"));
        Schema other =
                new Schema.Parser()
                        .parse(
                                "{\"type\": \"record\", \"name\": \"Other\", \"fields\": ["
                                        + "{\"name\": \"t\", \"type\": \"long\"},"
                                        + "{\"name\": \"id\", \"type\": [\"null\", \"long\"]}]}");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (var writer = new DataFileWriter<GenericRecord>(new GenericDatumWriter<>(other))) {
            writer.create(other, bytes);
            writer.append(
                    new GenericRecordBuilder(other)
                            .set("id", 77L)
                            .set("t", 1_700_000_000_000_000L)
                            .build());
            writer.append(
                    new GenericRecordBuilder(other)
                            .set("id", null)
                            .set("t", 1_700_000_000_000_000L)
                            .build());
        }
        files.put("/logs/b.avro", bytes.toByteArray());
        LogTail tail = tail(List.of());
        List<Item> items = poll(tail);
        assertThat(ids(items)).hasSize(21).contains("77", "0", "19");
        assertThat(badReasons(items))
                .containsExactly("Expected a value of the field id, but the record has none");
        byte[] head =
                items.stream()
                        .map(Item::bad)
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElseThrow()
                        .head();
        assertThat(new String(head, StandardCharsets.UTF_8))
                .isEqualTo("{\"t\":1700000000000000,\"id\":null}");
        tail.close();
    }
}
