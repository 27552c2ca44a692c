package photon.storage.tail;

import static org.assertj.core.api.Assertions.assertThat;
import static photon.storage.tail.TestLogs.gzip;
import static photon.storage.tail.TestLogs.utf8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import photon.core.config.FormatConfig;
import photon.core.config.InputConfig;
import photon.core.config.InputConfig.OpenMembers;
import photon.core.config.StreamConfig;
import photon.core.time.IntervalClock;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.Writer;
import photon.storage.files.HadoopFileStore;

class CompressedLogTest {
    private static final FileStore FILES = new HadoopFileStore();
    private static final long MODIFIED_MILLIS = 1_700_000_000_000L;

    @TempDir Path directory;
    private long nowNanos;
    private OpenMembers openMembers = OpenMembers.VERIFY;
    private FormatConfig format = TestLogs.CSV;
    private Writer writer = Writer.UNKNOWN;

    @BeforeEach
    void beginSomewhere() {
        nowNanos = 5;
    }

    /** A way to compress. */
    record Packing(String name, UnaryOperator<byte[]> pack) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Packing> packings() {
        return Stream.of(new Packing("gzip", TestLogs::gzip), new Packing("zstd", TestLogs::zstd));
    }

    @ParameterizedTest
    @MethodSource("packings")
    void aLineThatGoesOnInTheNextMemberIsOneRecord(Packing packing) throws IOException {
        write("a.log", packing.pack.apply(utf8("1,click-1\n2,click-22")));
        LogTail tail = tail();
        TailBatch batch = poll(tail);
        assertThat(ids(batch)).containsExactly("click-1");
        assertThat(batch.endsAwaited()).isTrue();
        assertThat(tail.unterminated())
                .containsExactly(new Unterminated(directory + "/a.log", 10, 10));
        append("a.log", packing.pack.apply(utf8("22\n")));
        batch = poll(tail);
        assertThat(ids(batch)).containsExactly("click-2222");
        assertThat(batch.endsAwaited()).isFalse();
    }

    @ParameterizedTest
    @MethodSource("packings")
    void whatAFlippedBitMakesOfAMemberIsNeverARecord(Packing packing) throws IOException {
        byte[] whole = packing.pack.apply(utf8("1,before\n"));
        byte[] packed = packing.pack.apply(utf8(lines(300_000)));
        packed[packed.length / 2] ^= 0x10;
        write("a.log", whole);
        append("a.log", packed);
        LogTail tail = tail();
        List<TailBatch.Item> items = pollAll(tail);
        assertThat(TestLogs.ids(items)).containsExactly("before");
        assertThat(TestLogs.badReasons(items)).singleElement().asString().contains("corrupt");
    }

    @ParameterizedTest
    @MethodSource("packings")
    void aMemberLargerThanWhatIsHeldIsReadWhenItsChecksumIsThere(Packing packing)
            throws IOException {
        byte[] packed = packing.pack.apply(utf8(lines(300_000)));
        int part = packed.length - 3;
        write("a.log", Arrays.copyOf(packed, part));
        LogTail tail = tail();
        assertThat(pollAll(tail)).isEmpty();
        assertThat(tail.unterminated()).hasSize(1);
        assertThat(tail.lag().bytes()).isLessThan(8);
        append("a.log", Arrays.copyOfRange(packed, part, packed.length));
        assertThat(TestLogs.ids(pollAll(tail))).hasSize(300_000).doesNotHaveDuplicates();
        assertThat(tail.unterminated()).isEmpty();
        assertThat(tail.lag().bytes()).isZero();
    }

    @ParameterizedTest
    @MethodSource("packings")
    void aMemberThatIsOpenIsReadAsItGrowsWhereItIsTrusted(Packing packing) throws IOException {
        openMembers = OpenMembers.TRUST;
        byte[] packed = packing.pack.apply(utf8(lines(300_000)));
        int part = packed.length / 2;
        write("a.log", Arrays.copyOf(packed, part));
        LogTail tail = tail();
        List<String> seen = new ArrayList<>(TestLogs.ids(pollAll(tail)));
        assertThat(seen).hasSizeGreaterThan(50_000);
        append("a.log", Arrays.copyOfRange(packed, part, packed.length));
        seen.addAll(TestLogs.ids(pollAll(tail)));
        assertThat(seen).hasSize(300_000).doesNotHaveDuplicates();
    }

    @Test
    void theLastRecordOfAFileIsReadWhenTheFileHasNotChangedForAWhile() throws IOException {
        write("a.log", gzip(utf8("1,x\n2,y")));
        LogTail tail = tail();
        assertThat(ids(poll(tail))).containsExactly("x");
        nowNanos += Duration.ofSeconds(50).toNanos();
        assertThat(ids(poll(tail))).isEmpty();
        append("a.log", gzip(new byte[0]));
        assertThat(ids(poll(tail))).isEmpty();
        nowNanos += Duration.ofSeconds(50).toNanos();
        assertThat(ids(poll(tail))).as("it has changed meanwhile").isEmpty();
        nowNanos += Duration.ofSeconds(20).toNanos();
        TailBatch batch = poll(tail);
        assertThat(ids(batch)).containsExactly("y");
        assertThat(batch.endsAwaited()).isFalse();
        assertThat(tail.unterminated()).isEmpty();
    }

    @Test
    void aFileThatIsOldWhenItIsFoundNeedsNoWaiting() throws IOException {
        write("a.log", gzip(utf8("1,x\n2,y")));
        LogTail tail = tail(List.of(), MODIFIED_MILLIS + 60_000);
        TailBatch batch = poll(tail);
        assertThat(ids(batch)).containsExactly("x", "y");
        assertThat(batch.endsAwaited()).isFalse();
        assertThat(batch.caughtUp()).isTrue();
        write("b.log", gzip(utf8("1,z")));
        Files.setLastModifiedTime(file("b.log"), FileTime.fromMillis(MODIFIED_MILLIS + 1));
        assertThat(ids(poll(tail))).isEmpty();
    }

    @Test
    void whereTheFileSystemKnowsTheWriterItDecides() throws IOException {
        write("a.log", gzip(utf8("1,x\n2,y")));
        writer = Writer.OPEN;
        LogTail tail = tail(List.of(), MODIFIED_MILLIS + 60_000_000);
        assertThat(ids(poll(tail))).containsExactly("x");
        nowNanos += Duration.ofDays(2).toNanos();
        assertThat(ids(poll(tail))).isEmpty();
        writer = Writer.CLOSED;
        assertThat(ids(poll(tail))).containsExactly("y");
        write("b.log", gzip(utf8("1,z")));
        assertThat(ids(poll(tail))).containsExactly("z");
    }

    @ParameterizedTest
    @MethodSource("packings")
    void whatComesBehindAFinishedEndIsABadRecordAndNoOtherIdentity(Packing packing)
            throws IOException {
        write("a.log", packing.pack.apply(utf8("1,x\n2,click-22")));
        LogTail tail = finishing();
        TailBatch batch = poll(tail);
        assertThat(ids(batch)).containsExactly("x", "click-22");
        TailBatch.Item last = batch.items().get(1);
        FilePosition stored = tail.position(last.file(), last.endOffset());
        append("a.log", packing.pack.apply(utf8("22,3,other\n4,z\n")));
        for (LogTail reader : List.of(tail, finishing(List.of(stored)))) {
            batch = poll(reader);
            assertThat(ids(batch)).containsExactly("z");
            TailBatch.Item rest = batch.items().get(0);
            assertThat(rest.offset()).isEqualTo(14);
            assertThat(rest.endOffset()).isEqualTo(14 + 11);
            assertThat(rest.path()).endsWith("a.log");
            assertThat(TestLogs.badReasons(batch.items()))
                    .singleElement()
                    .asString()
                    .contains("has grown");
        }
    }

    @Test
    void aLineFeedThatComesLateIsNoGrowthOfARecord() throws IOException {
        write("a.log", gzip(utf8("1,x\n2,y")));
        write("b.log", gzip(utf8("1,p\n2,q")));
        LogTail tail = finishing();
        assertThat(ids(poll(tail))).containsExactlyInAnyOrder("x", "y", "p", "q");
        append("a.log", gzip(utf8("\n3,z\n")));
        append("b.log", gzip(utf8("\r\n3,r\n")));
        TailBatch batch = poll(tail);
        assertThat(ids(batch)).containsExactlyInAnyOrder("z", "r");
        assertThat(TestLogs.badReasons(batch.items())).isEmpty();
    }

    @Test
    void growthBehindAFinishedEndIsSeenAlsoWhereTheHeaderHasToBeReadAgain() throws IOException {
        format = new FormatConfig.Csv(true, ',', List.of(), "");
        write("a.log", gzip(utf8("t,id\n1,x\n2,click-22")));
        LogTail first = finishing();
        TailBatch.Item last = poll(first).items().get(2);
        FilePosition stored = first.position(last.file(), last.endOffset());
        append("a.log", gzip(utf8("22\n3,z\n")));
        TailBatch batch = poll(finishing(List.of(stored)));
        assertThat(ids(batch)).containsExactly("z");
        assertThat(TestLogs.badReasons(batch.items())).hasSize(1);
        assertThat(batch.items().get(0).offset()).isEqualTo(stored.offset());
    }

    @Test
    void halfAHeaderIsNoHeader() throws IOException {
        format = new FormatConfig.Csv(true, ',', List.of(), "");
        write("a.log", gzip(utf8("t,id")));
        LogTail tail = finishing();
        assertThat(poll(tail).items()).isEmpty();
        append("a.log", gzip(utf8("2,id\n1,wrong,x\n")));
        assertThat(ids(poll(tail))).containsExactly("x");
    }

    @Test
    void theLastRecordOfAFileThatWentAwayIsReadOrReported() throws IOException {
        write("a.log", gzip(utf8("1,x\n2,y")));
        LogTail tail = tail();
        assertThat(ids(poll(tail))).containsExactly("x");
        Files.move(file("a.log"), file("a.old"));
        for (int i = 0; i < 10; i++) {
            assertThat(poll(tail).items()).isEmpty();
        }
        nowNanos += Duration.ofSeconds(60).toNanos();
        assertThat(ids(poll(tail))).containsExactly("y");

        write("b.log", gzip(utf8("1,p\n2,q")));
        write("c.log", utf8("1,r\n"));
        LogTail narrow =
                new LogTail(
                        files(),
                        stream(),
                        LogShare.whole(files(), stream()),
                        List.of(),
                        Duration.ZERO,
                        clock(0),
                        1);
        assertThat(ids(poll(narrow))).containsExactlyInAnyOrder("p", "r");
        Files.delete(file("b.log"));
        List<TailBatch.Item> items = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            items.addAll(poll(narrow).items());
        }
        assertThat(TestLogs.badReasons(items)).singleElement().asString().contains("has gone");
    }

    /** What is handed out of it goes on where the last was, though the line is longer than most. */
    @Test
    void aLogThatGoesWithinALineThatIsTooLongLeavesNoGap() throws IOException {
        write("a.log", gzip(utf8("1,p\n2," + "q".repeat(9 << 20))));
        write("c.log", utf8("1,r\n")); // takes the only place
        LogTail tail =
                new LogTail(
                        files(),
                        stream(),
                        LogShare.whole(files(), stream()),
                        List.of(),
                        Duration.ZERO,
                        clock(0),
                        1);
        List<TailBatch.Item> items = new ArrayList<>(pollSome(tail, 20));
        assertThat(TestLogs.ids(items)).containsExactlyInAnyOrder("p", "r");
        Files.delete(file("a.log"));
        items = new ArrayList<>(pollSome(tail, 10));
        assertThat(TestLogs.badReasons(items)).singleElement().asString().contains("has gone");
        assertThat(items.get(0).offset()).isEqualTo(4);
        assertThat(items.get(0).endOffset()).isEqualTo(4);
    }

    private List<TailBatch.Item> pollSome(LogTail tail, int times) throws IOException {
        List<TailBatch.Item> items = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            items.addAll(poll(tail).items());
        }
        return items;
    }

    @Test
    void anEndThatIsAwaitedIsReadThoughItsPlaceWasTaken() throws IOException {
        write("a.log", gzip(utf8("1,x\n2,y")));
        write("b.log", utf8("1,p\n"));
        LogTail tail =
                new LogTail(
                        files(),
                        stream(),
                        LogShare.whole(files(), stream()),
                        List.of(),
                        Duration.ZERO,
                        clock(0),
                        1);
        assertThat(ids(poll(tail))).containsExactlyInAnyOrder("x", "p");
        List<String> seen = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            seen.addAll(ids(poll(tail)));
        }
        assertThat(seen).containsExactly("y");
    }

    @Test
    void emptyMembersAndPaddingDoNoHarm() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < 20_000; i++) {
            bytes.write(gzip(new byte[0]));
        }
        bytes.write(gzip(utf8("1,x\n")));
        bytes.write(new byte[512]);
        bytes.write(gzip(utf8("2,y\n")));
        bytes.write(new byte[512]);
        write("a.log", bytes.toByteArray());
        LogTail tail = tail();
        assertThat(TestLogs.ids(pollAll(tail))).containsExactly("x", "y");
        assertThat(tail.unterminated()).isEmpty();
    }

    @Test
    void aPositionWithinAMemberThatIsOpenWaitsForTheMember() throws IOException {
        openMembers = OpenMembers.TRUST;
        byte[] packed = gzip(utf8(lines(300_000)));
        int part = packed.length / 2;
        write("a.log", Arrays.copyOf(packed, part));
        LogTail trusting = tail();
        List<TailBatch.Item> items = pollAll(trusting);
        TailBatch.Item last = items.get(items.size() - 1);
        FilePosition stored = trusting.position(last.file(), last.endOffset());
        openMembers = OpenMembers.VERIFY;
        LogTail tail = tail(List.of(stored), 0);
        assertThat(pollAll(tail)).isEmpty();
        append("a.log", Arrays.copyOfRange(packed, part, packed.length));
        assertThat(TestLogs.ids(pollAll(tail))).hasSize(300_000 - items.size());
    }

    private static String lines(int from, int to) {
        StringBuilder lines = new StringBuilder();
        for (int i = from; i < to; i++) {
            lines.append("1,click-").append(i * 7919L % 1_000_003).append('\n');
        }
        return lines.toString();
    }

    static Stream<Arguments> growing() {
        return packings()
                .flatMap(
                        packing ->
                                Stream.of(OpenMembers.VERIFY, OpenMembers.TRUST)
                                        .map(open -> Arguments.of(packing, open)));
    }

    /** As a writer makes it that appends a member a flush. */
    @ParameterizedTest
    @MethodSource("growing")
    void aLogThatGrowsByMembersIsNotReadFromItsBeginningEachTime(Packing packing, OpenMembers open)
            throws IOException {
        openMembers = open;
        TestLogs.Watched watched = new TestLogs.Watched(FILES, () -> writer);
        write("a.log", new byte[0]);
        LogTail tail =
                new LogTail(watched, stream(), List.of(), Duration.ZERO, clock(MODIFIED_MILLIS));
        for (int member = 0; member < 20; member++) {
            append(
                    "a.log",
                    packing.pack.apply(utf8(lines(member * 20_000, (member + 1) * 20_000))));
            List<TailBatch.Item> items = pollAll(tail);
            assertThat(TestLogs.ids(items)).hasSize(20_000).doesNotHaveDuplicates();
        }
        long size = Files.size(file("a.log"));
        assertThat(watched.bytesRead).isBetween(size, 3 * size);
        assertThat(tail.lag().bytes()).isZero();
    }

    /** As the time of modification that a compressor sets when it is done. */
    @ParameterizedTest
    @MethodSource("growing")
    void aLogThatIsOpenedAgainAtItsEndIsWhole(Packing packing, OpenMembers open)
            throws IOException {
        openMembers = open;
        write("a.log", packing.pack.apply(utf8(lines(0, 2_000))));
        LogTail tail = tail();
        assertThat(TestLogs.ids(pollAll(tail))).hasSize(2_000);
        Files.setLastModifiedTime(file("a.log"), FileTime.fromMillis(MODIFIED_MILLIS + 60_000));
        assertThat(poll(tail).items()).isEmpty();
        assertThat(tail.unterminated()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("growing")
    void aLogThatIsWrittenAnewInOtherMembersIsReadOnWhereItWas(Packing packing, OpenMembers open)
            throws IOException {
        openMembers = open;
        byte[] begin = packing.pack.apply(utf8(lines(0, 20_000)));
        write("a.log", begin);
        append("a.log", packing.pack.apply(utf8(lines(20_000, 24_000))));
        LogTail tail = tail();
        assertThat(TestLogs.ids(pollAll(tail))).hasSize(24_000);
        write("a.log", begin);
        append("a.log", packing.pack.apply(utf8(lines(20_000, 29_000))));
        assertThat(TestLogs.ids(pollAll(tail))).hasSize(5_000).doesNotHaveDuplicates();
    }

    private static String lines(int count) {
        return lines(0, count);
    }

    private TailBatch poll(LogTail tail) throws IOException {
        nowNanos += Duration.ofSeconds(2).toNanos();
        return tail.poll(100_000, nowNanos);
    }

    private List<TailBatch.Item> pollAll(LogTail tail) throws IOException {
        List<TailBatch.Item> items = new ArrayList<>();
        TailBatch batch;
        do {
            nowNanos++;
            batch = tail.poll(100_000, nowNanos + Duration.ofSeconds(1).toNanos());
            items.addAll(batch.items());
        } while (!batch.caughtUp());
        return items;
    }

    private static List<String> ids(TailBatch batch) {
        return TestLogs.ids(batch.items());
    }

    /** By whose clock the files are of now. */
    private LogTail tail() {
        return tail(List.of(), MODIFIED_MILLIS);
    }

    /** By whose clock the files are old. */
    private LogTail finishing() {
        return finishing(List.of());
    }

    private LogTail finishing(List<FilePosition> resume) {
        return new LogTail(files(), stream(), resume, Duration.ZERO, TestLogs.LATER);
    }

    private LogTail tail(List<FilePosition> resume, long millis) {
        return new LogTail(files(), stream(), resume, Duration.ZERO, clock(millis));
    }

    private static IntervalClock clock(long millis) {
        return () -> new IntervalClock.Interval(millis * 1_000, millis * 1_000);
    }

    private FileStore files() {
        return new TestLogs.Watched(FILES, () -> writer);
    }

    private StreamConfig stream() {
        StreamConfig plain = TestLogs.stream(format, directory + "/*.log");
        return new StreamConfig(
                plain.paths(),
                plain.format(),
                plain.where(),
                plain.whereNot(),
                plain.id(),
                plain.timestamp(),
                plain.primaryId(),
                new InputConfig(
                        openMembers,
                        Duration.ofSeconds(60),
                        InputConfig.DEFAULTS.listEvery(),
                        InputConfig.DEFAULTS.exclude(),
                        InputConfig.DEFAULTS.backlogPercent()));
    }

    private Path file(String name) {
        return directory.resolve(name);
    }

    private void write(String name, byte[] bytes) throws IOException {
        Files.write(file(name), bytes);
        Files.setLastModifiedTime(file(name), FileTime.fromMillis(MODIFIED_MILLIS));
    }

    private void append(String name, byte[] bytes) throws IOException {
        Files.write(file(name), bytes, StandardOpenOption.APPEND);
        Files.setLastModifiedTime(file(name), FileTime.fromMillis(MODIFIED_MILLIS));
    }
}
