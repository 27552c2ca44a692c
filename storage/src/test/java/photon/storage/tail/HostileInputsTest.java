package photon.storage.tail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static photon.storage.tail.TestLogs.gzip;
import static photon.storage.tail.TestLogs.utf8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import photon.core.config.FormatConfig;
import photon.core.config.IdConfig;
import photon.core.config.StreamConfig;
import photon.core.config.TimestampConfig;
import photon.core.event.LogEvent;
import photon.storage.files.FileStore;
import photon.storage.files.HadoopFileStore;
import photon.storage.files.IrregularFiles;
import photon.storage.files.LoggedWarnings;

/**
 * Hostile content of logs, each kind between two good rows: what is bad is a counted record with
 * its file, its offset and a reason, and both good rows are read all the same. docs/testing.md has
 * the whole list of hostile inputs.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostileInputsTest {
    private static final String ROW = "{\"t\":1521911800,\"id\":%s}";
    private static final String GOOD = ROW.formatted("\"good-%s\"") + "\n";

    @TempDir Path directory;
    private FileStore files = new HadoopFileStore();
    private long now;

    @Test
    void bytesThatAreNoJsonTextAreBad() throws IOException {
        byte[] row = utf8(ROW.formatted("\"x\""));
        assertBad(replaced(row, 'x', 0)); // NUL in a string
        assertBad(joined(new byte[1], row));
        assertBad(joined(row, new byte[1]));
        assertBad(new byte[1]);
        assertBad(replaced(row, 'x', 0xFF)); // no UTF-8, in an id
        assertBad(
                joined(utf8("{\"other\":\""), new byte[] {(byte) 0xC3}, utf8("\","), from(row, 1)));
        assertBad(utf8(ROW.formatted("\"\\ud83d\""))); // half of a surrogate pair
        assertBad(utf8("\uFEFF" + ROW.formatted("\"x\""))); // a byte order mark in the midst
    }

    @Test
    void anyTextMayBeAnId() throws IOException {
        assertJoined(ROW.formatted("\"a\\u0000b\\n\\\"c\\\\\""), "a\0b\n\"c\\");
        assertJoined(ROW.formatted("\"a:b::c\""), "a:b::c");
        String large = "x".repeat(100_000);
        assertJoined(ROW.formatted("\"" + large + "\""), large);
    }

    /** Of several id fields the text joins the values: the identity does not. */
    @Test
    void theSeparatorWithinAnIdMakesNoOtherIdentity() throws IOException {
        StreamConfig twoFields = stream(new IdConfig.User(List.of("id", "to")), seconds());
        Files.write(
                file("a.log"),
                utf8(
                        "{\"t\":1,\"id\":\"a:b\",\"to\":\"c\"}\n{\"t\":1,\"id\":\"a\",\"to\":\"b:c\"}\n"));
        List<TailBatch.Item> items = read(twoFields);
        assertThat(TestLogs.ids(items)).containsExactly("a:b:c", "a:b:c");
        assertThat(items.stream().map(item -> eventOf(item).id())).doesNotHaveDuplicates();
    }

    @Test
    void aKeyMayStandTwiceUnlessItIsAnId() throws IOException {
        assertBad(utf8("{\"t\":1,\"id\":\"x\",\"id\":\"y\"}"));
        assertJoined("{\"t\":1,\"other\":1,\"id\":\"x\",\"other\":2}", "x");
    }

    @Test
    void deepNestingIsBadAndNoCrash() throws IOException {
        String deep = "[".repeat(100_000) + "]".repeat(100_000);
        String deepObject = "{\"a\":".repeat(100_000) + "1" + "}".repeat(100_000);
        assertBad(utf8(deep));
        assertBad(utf8(deepObject));
        assertBad(utf8("{\"t\":1,\"id\":\"x\",\"other\":" + deep + "}"));
        assertBad(utf8("{\"t\":1,\"id\":\"x\",\"other\":" + deepObject + "}"));
    }

    @Test
    void nestingUpToAThousandIsNoTrouble() throws IOException {
        assertJoined(
                "{\"t\":1,\"id\":\"x\",\"other\":" + "[".repeat(999) + "]".repeat(999) + "}", "x");
        assertBad(
                utf8(
                        "{\"t\":1,\"id\":\"x\",\"other\":"
                                + "[".repeat(1_000)
                                + "]".repeat(1_000)
                                + "}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-1",
                "1e308",
                "1e9999999999",
                "NaN",
                "Infinity",
                "\"NaN\"",
                "\"Infinity\"",
                "\"\"",
                "null",
                "true",
                "\" \"",
                "\" 1521911800\"",
                "\"1521911800 \"",
                "\"1521911800\u00a0\"",
                "\"\u0661\u0665\"",
                "0x10",
                "\"0x10\"",
                "1_000",
                "\"1_000\"",
                "1e-400",
                "[1]",
                "{}"
            })
    void timestampsThatAreBad(String timestamp) throws IOException {
        assertBad(utf8("{\"id\":\"x\",\"t\":" + timestamp + "}"));
    }

    @ParameterizedTest
    @CsvSource({
        "'\"+1521911800\"', 1521911800000000",
        "1521911800.1234567890123, 1521911800123456",
        "0, 0",
        "-0, 0",
        "7986816000, 7986816000000000", // two centuries ahead: the registry's clock judges it
    })
    void timestampsThatAreTaken(String timestamp, long micros) throws IOException {
        Files.write(file("a.log"), utf8("{\"id\":\"x\",\"t\":" + timestamp + "}\n"));
        List<TailBatch.Item> items = read(stream(seconds()));
        assertThat(items).hasSize(1);
        assertThat(eventOf(items.get(0)).id().micros()).isEqualTo(micros);
    }

    @Test
    void timestampsByAPatternThatAreNoTimeAreBad() throws IOException {
        StreamConfig patterned =
                stream(
                        new IdConfig.User(List.of("id")),
                        new TimestampConfig.Pattern("t", "yyyy-MM-dd HH:mm:ss", ZoneOffset.UTC));
        String bad = "{\"id\":\"x\",\"t\":\"%s\"}\n";
        Files.write(
                file("a.log"),
                utf8(
                        bad.formatted("2024-02-30 00:00:00")
                                + bad.formatted("2024-02-28 24:00:01")
                                + bad.formatted("999999999-01-01 00:00:00")
                                + bad.formatted("\u0662\u0660\u0662\u0664-01-01 00:00:00")
                                + bad.formatted("2024-01-01 00:00:00 ")
                                + bad.formatted("")
                                + bad.formatted("2024-02-29 00:00:00")));
        List<TailBatch.Item> items = read(patterned);
        assertThat(TestLogs.badReasons(items)).hasSize(6);
        assertThat(TestLogs.ids(items)).containsExactly("x");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"\"", "null", "{}", "{\"a\":1}", "[]", "[1]", "[\"x\"]"})
    void valuesThatAreNoId(String value) throws IOException {
        assertBad(utf8(ROW.formatted(value)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"true", "false", "123456789012345678901234567890", "1e2", "-0", "1.0", "7"})
    void valuesThatKeepTheTextOfTheirSource(String value) throws IOException {
        assertJoined(ROW.formatted(value), value);
    }

    @Test
    void linesThatAreNoObject() throws IOException {
        assertBad(utf8("[1]"));
        assertBad(utf8("7"));
        assertBad(utf8(ROW.formatted("1") + " " + ROW.formatted("2")));
        assertBad(utf8(ROW.formatted("1") + ","));
        assertBad(utf8("{\"t\":1,\"id\":\"x\",}"));
    }

    @Test
    void emptyLinesAndWhiteSpaceAreNoRecords() throws IOException {
        Files.write(file("a.log"), utf8("\n  \n\r\n\t\n " + ROW.formatted("\"x\"") + " \r\n\n"));
        List<TailBatch.Item> items = read(stream(seconds()));
        assertThat(TestLogs.ids(items)).containsExactly("x");
        assertThat(TestLogs.badReasons(items)).isEmpty();
    }

    @Test
    void aLineOf200MegabytesIsOneBadRecord() throws IOException {
        Files.write(file("a.log"), utf8(GOOD.formatted(1)));
        try (RandomAccessFile log = new RandomAccessFile(file("a.log").toFile(), "rw")) {
            log.setLength(200_000_000); // a hole, which is read as zeros
        }
        append(utf8("\n" + GOOD.formatted(2)));
        List<TailBatch.Item> items = read(stream(seconds()));
        assertThat(TestLogs.ids(items)).containsExactly("good-1", "good-2");
        assertThat(TestLogs.badReasons(items))
                .singleElement()
                .asString()
                .contains("lines of at most 8388608 bytes");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aLineOf512MegabytesInACompressedLogIsOneBadRecord(boolean gzip) throws IOException {
        UnaryOperator<byte[]> pack = gzip ? TestLogs::gzip : TestLogs::zstd;
        byte[] part = new byte[32 << 20];
        Arrays.fill(part, (byte) 'x');
        byte[] bomb = pack.apply(part);
        Files.write(file("a.log"), pack.apply(utf8(GOOD.formatted(1))));
        for (int i = 0; i < 16; i++) {
            append(bomb);
        }
        append(pack.apply(utf8("\n" + GOOD.formatted(2))));
        List<TailBatch.Item> items = read(stream(seconds()));
        assertThat(TestLogs.ids(items)).containsExactly("good-1", "good-2");
        assertThat(TestLogs.badReasons(items)).hasSize(1);
    }

    @Test
    void threeMegabytesOfGarbageAreBadRecords() throws IOException {
        byte[] garbage = TestLogs.random(3 << 20);
        Files.write(
                file("a.log"),
                joined(utf8(GOOD.formatted(1)), garbage, utf8("\n" + GOOD.formatted(2))));
        List<TailBatch.Item> items = read(stream(seconds()));
        assertThat(TestLogs.ids(items)).containsExactly("good-1", "good-2");
        int lines = 1;
        for (byte each : garbage) {
            lines += each == '\n' ? 1 : 0;
        }
        // Some lines are empty.
        assertThat(TestLogs.badReasons(items).size()).isCloseTo(lines, within(100));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aCompressedLogThatIsCutGivesWholeMembersAndIsListed(boolean gzip) throws IOException {
        UnaryOperator<byte[]> pack = gzip ? TestLogs::gzip : TestLogs::zstd;
        byte[] second = pack.apply(utf8(GOOD.formatted(2).repeat(1_000)));
        byte[] cut = Arrays.copyOf(second, second.length / 2);
        Files.write(file("a.log"), joined(pack.apply(utf8(GOOD.formatted(1))), cut));
        LogTail tail = tail(stream(seconds()));
        List<TailBatch.Item> items = readAll(tail);
        assertThat(TestLogs.ids(items)).containsExactly("good-1");
        assertThat(TestLogs.badReasons(items)).isEmpty();
        assertThat(tail.unterminated()).hasSize(1);
    }

    @Test
    void twoFlippedBitsAnywhereInAGzipMemberInventNothing() throws IOException {
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < 301; i++) {
            rows.append(ROW.formatted("\"click-" + i * 7919 + "\"")).append('\n');
        }
        byte[] first = gzip(utf8(GOOD.formatted(1)));
        byte[] right = gzip(utf8(rows.toString()));
        for (int at = 10; at + 7 < right.length; at += 7) {
            byte[] flipped = right.clone();
            flipped[at] ^= 0x04;
            flipped[at + 7] ^= 0x20;
            Files.write(file("a.log"), joined(first, flipped));
            List<TailBatch.Item> items = read(stream(seconds()));
            assertThat(TestLogs.ids(items)).as("flipped at %s", at).containsExactly("good-1");
        }
    }

    @Test
    void whatIsNoRegularFileHoldsNothingUp() throws IOException {
        Files.write(file("a.log"), utf8(GOOD.formatted(1)));
        IrregularFiles.all(directory, ".log");
        assertThat(TestLogs.ids(read(stream(seconds())))).containsExactly("good-1");
    }

    /** The listing has shown a regular file, and a FIFO stands there when it is opened. */
    @Test
    void aFifoInThePlaceOfALogIsATroubleOfThatLogAlone() throws IOException {
        Files.write(file("a.log"), utf8(GOOD.formatted(1)));
        Files.write(file("b.log"), utf8(GOOD.formatted(2)));
        Path fifo = file("other");
        IrregularFiles.fifo(fifo);
        FileStore real = files;
        files =
                new TestLogs.Refusing(real) {
                    @Override
                    public ReadFile open(String path) throws IOException {
                        return super.open(path.endsWith("a.log") ? fifo.toString() : path);
                    }
                };
        LogTail tail = tail(stream(seconds()));
        List<TailBatch.Item> items = readAll(tail);
        assertThat(TestLogs.ids(items)).containsExactly("good-2");
        assertThat(TestLogs.badReasons(items)).singleElement().asString().contains("a FIFO");
        assertThat(tail.unreadable()).hasSize(1);
    }

    @Test
    void aTruncatedLogIsToldByNameAndReadFromItsStart() throws IOException {
        Files.write(file("a.log"), utf8(GOOD.formatted(1) + GOOD.formatted(2)));
        LogTail tail = tail(stream(seconds()));
        readAll(tail);
        try (LoggedWarnings logged = new LoggedWarnings(LogTail.class)) {
            Files.write(file("a.log"), utf8(GOOD.formatted(1)));
            assertThat(TestLogs.ids(readAll(tail))).containsExactly("good-1");
            assertThat(logged.texts())
                    .singleElement()
                    .asString()
                    .startsWith(
                            file("a.log")
                                    + " was truncated or replaced: it was read up to its byte 62");
        }
    }

    @Test
    void aLogThatWasTruncatedBeforeAStartIsToldByName() throws IOException {
        Files.write(file("a.log"), utf8(GOOD.formatted(1) + GOOD.formatted(2)));
        LogTail first = tail(stream(seconds()));
        TailBatch.Item last = readAll(first).get(1);
        FilePosition stored = first.position(last.file(), last.endOffset());
        Files.write(file("a.log"), utf8(GOOD.formatted(1)));
        try (LoggedWarnings logged = new LoggedWarnings(LogTail.class)) {
            LogTail tail =
                    new LogTail(
                            files,
                            stream(seconds()),
                            List.of(stored),
                            Duration.ZERO,
                            TestLogs.LATER);
            assertThat(TestLogs.ids(readAll(tail))).containsExactly("good-1");
            assertThat(logged.texts())
                    .singleElement()
                    .asString()
                    .startsWith(file("a.log") + " was truncated or replaced since");
        }
    }

    @Test
    void aLogThatAnotherFileReplacedIsToldByName() throws IOException {
        Files.write(file("a.log"), utf8(GOOD.formatted(1)));
        LogTail tail = tail(stream(seconds()));
        readAll(tail);
        try (LoggedWarnings logged = new LoggedWarnings(LogTail.class)) {
            Files.write(file("aside"), utf8(GOOD.formatted(2)));
            Files.move(file("aside"), file("a.log"), StandardCopyOption.REPLACE_EXISTING);
            assertThat(TestLogs.ids(readAll(tail))).containsExactly("good-2");
            readAll(tail);
            assertThat(logged.texts())
                    .singleElement()
                    .asString()
                    .startsWith(file("a.log") + " is another file now");
        }
    }

    @Test
    void aRotationIsNoReplacement() throws IOException {
        Files.write(file("a.log"), utf8(GOOD.formatted(1)));
        LogTail tail = tail(stream(seconds()));
        readAll(tail);
        try (LoggedWarnings logged = new LoggedWarnings(LogTail.class)) {
            Files.move(file("a.log"), file("a.1.log"));
            Files.write(file("a.log"), utf8(GOOD.formatted(2)));
            assertThat(TestLogs.ids(readAll(tail))).containsExactly("good-2");
            // Its number goes up, and what had that name before is compressed and deleted.
            Files.write(file("a.2.log.gz"), gzip(Files.readAllBytes(file("a.1.log"))));
            Files.delete(file("a.1.log"));
            Files.move(file("a.log"), file("a.1.log"));
            Files.write(file("a.log"), utf8(GOOD.formatted(3)));
            assertThat(TestLogs.ids(readAll(tail))).contains("good-3");
            assertThat(logged.texts()).isEmpty();
        }
    }

    /** The row that was cut and the one behind it are one bad line; all others are read. */
    @Test
    void whatIsAppendedToALogThatWasCutInMidRowIsRead() throws IOException {
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < 1_000; i++) {
            rows.append(GOOD.formatted("before-" + i));
        }
        byte[] before = utf8(rows.toString());
        Files.write(file("a.log"), before);
        LogTail tail = tail(stream(seconds()));
        assertThat(readAll(tail)).hasSize(1_000);
        for (int cut : new int[] {before.length - 20, before.length / 2 + 7, 9_001, 15}) {
            Files.write(file("a.log"), Arrays.copyOf(before, cut));
            List<TailBatch.Item> items = new ArrayList<>(readAll(tail));
            for (int i = 0; i < 500; i++) {
                append(utf8(GOOD.formatted("after-" + cut + "-" + i)));
                if (i % 100 == 1) {
                    items.addAll(readAll(tail));
                }
            }
            items.addAll(readAll(tail));
            assertThat(TestLogs.ids(items).stream().filter(id -> id.contains("after")))
                    .as("cut at %s", cut)
                    .hasSize(499);
            assertThat(TestLogs.badReasons(items)).hasSize(1);
            Files.write(file("a.log"), before);
            readAll(tail);
        }
    }

    private void assertBad(byte[] line) throws IOException {
        int at = GOOD.formatted(1).length();
        Files.write(
                file("a.log"),
                joined(utf8(GOOD.formatted(1)), line, utf8("\n" + GOOD.formatted(2))));
        List<TailBatch.Item> items = read(stream(seconds()));
        assertThat(TestLogs.ids(items)).containsExactly("good-1", "good-2");
        TailBatch.Item bad = items.get(1);
        assertThat(bad.bad()).isNotNull();
        assertThat(TestLogs.badReasons(items)).singleElement().asString().isNotEmpty();
        assertThat(bad.path()).isEqualTo(file("a.log").toString());
        assertThat(bad.offset()).isEqualTo(at);
    }

    private void assertJoined(String line, String id) throws IOException {
        Files.write(file("a.log"), utf8(GOOD.formatted(1) + line + "\n" + GOOD.formatted(2)));
        List<TailBatch.Item> items = read(stream(seconds()));
        assertThat(TestLogs.ids(items)).containsExactly("good-1", id, "good-2");
        assertThat(eventOf(items.get(1)).json().toStringUtf8()).isEqualTo(line);
    }

    private static LogEvent eventOf(TailBatch.Item item) {
        LogEvent event = item.event();
        if (event == null) {
            throw new AssertionError("no event: " + item);
        }
        return event;
    }

    private List<TailBatch.Item> read(StreamConfig stream) throws IOException {
        try (LogTail tail = tail(stream)) {
            return readAll(tail);
        }
    }

    private List<TailBatch.Item> readAll(LogTail tail) throws IOException {
        List<TailBatch.Item> items = new ArrayList<>();
        TailBatch batch;
        do {
            now += Duration.ofSeconds(2).toNanos();
            batch = tail.poll(1_000, now);
            items.addAll(batch.items());
        } while (!batch.caughtUp());
        return items;
    }

    private LogTail tail(StreamConfig stream) {
        return new LogTail(files, stream, List.of(), Duration.ZERO, TestLogs.LATER);
    }

    private StreamConfig stream(TimestampConfig timestamp) {
        return stream(new IdConfig.User(List.of("id")), timestamp);
    }

    private StreamConfig stream(IdConfig id, TimestampConfig timestamp) {
        return new StreamConfig(
                List.of(directory + "/*.log", directory + "/*.gz"),
                new FormatConfig.JsonLines(),
                Map.of(),
                Map.of(),
                id,
                Optional.of(timestamp),
                Optional.empty());
    }

    private static TimestampConfig seconds() {
        return new TimestampConfig.Numeric("t", TimestampConfig.Unit.SECONDS);
    }

    private static byte[] replaced(byte[] bytes, char from, int to) {
        return new String(bytes, StandardCharsets.ISO_8859_1)
                .replace(from, (char) to)
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] from(byte[] bytes, int from) {
        return Arrays.copyOfRange(bytes, from, bytes.length);
    }

    private static byte[] joined(byte[]... parts) throws IOException {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            whole.write(part);
        }
        return whole.toByteArray();
    }

    private void append(byte[] bytes) throws IOException {
        Files.write(file("a.log"), bytes, StandardOpenOption.APPEND);
    }

    private Path file(String name) {
        return directory.resolve(name);
    }
}
