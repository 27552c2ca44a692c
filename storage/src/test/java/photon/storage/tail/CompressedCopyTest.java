package photon.storage.tail;

import static org.assertj.core.api.Assertions.assertThat;
import static photon.storage.tail.TestLogs.utf8;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import photon.core.config.FormatConfig;
import photon.storage.files.FileStore;
import photon.storage.files.HadoopFileStore;

/** Logs that are read and compressed then: the compressed file goes on where they were read to. */
class CompressedCopyTest {
    private static final FileStore FILES = new HadoopFileStore();

    @TempDir Path directory;
    private FormatConfig format = TestLogs.CSV;
    private long nowNanos = 5;

    /** Up to where what came is done, by file, as a checkpoint has it. */
    private final Map<Integer, FilePosition> done = new HashMap<>();

    @ParameterizedTest
    @MethodSource("photon.storage.tail.CompressedLogTest#packings")
    void whatWasReadBeforeIsNotReadAgain(CompressedLogTest.Packing packing) throws IOException {
        String lines = lines(0, 3_000);
        write("a.log", utf8(lines));
        LogTail tail = tail(List.of());
        assertThat(poll(tail)).hasSize(3_000);
        settle(tail);
        assertThat(tail.inSight()).isTrue();

        compress(packing, "a.log", lines);
        assertThat(poll(tail)).isEmpty();
        assertThat(tail.inSight()).as("nothing is missing").isTrue();
        assertThat(position("a.log.gz")).isEqualTo(lines.length());
        assertThat(tail.unterminated()).isEmpty();

        // The next life knows it from the first one's checkpoint.
        assertThat(poll(tail(List.copyOf(done.values())))).isEmpty();
    }

    @Test
    void whatCameBehindWhatWasReadIsRead() throws IOException {
        String lines = lines(0, 100);
        write("a.log", utf8(lines));
        LogTail tail = tail(List.of());
        assertThat(poll(tail)).hasSize(100);
        settle(tail);
        compress(gzip(), "a.log", lines + lines(100, 103) + "1,no end");
        assertThat(poll(tail)).containsExactly("click-100", "click-101", "click-102", "no end");
    }

    @Test
    void aLogThatAnEarlierLifeHasReadCountsToo() throws IOException {
        format = new FormatConfig.Csv(true, ',', List.of(), "#");
        String lines = "t,id\n1,click-1\n1,click-2\n";
        write("a.log", utf8(lines));
        LogTail tail = tail(List.of());
        assertThat(poll(tail)).hasSize(2);
        settle(tail);
        List<FilePosition> positions = List.copyOf(done.values());
        done.clear();
        compress(gzip(), "a.log", lines + "1,click-3\n");
        tail = tail(positions);
        assertThat(poll(tail)).containsExactly("click-3");
        assertThat(tail.inSight()).isTrue();

        // It was read on in the second life, too: what it knew of the content was gone on with.
        Files.delete(directory.resolve("a.log.gz"));
        write("b.log", utf8(lines));
        tail = tail(List.of());
        assertThat(poll(tail)).hasSize(2);
        settle(tail);
        positions = List.copyOf(done.values());
        append("b.log", utf8("1,click-4\n"));
        tail = tail(positions);
        assertThat(poll(tail)).containsExactly("click-4");
        settle(tail);
        compress(gzip(), "b.log", lines + "1,click-4\n");
        assertThat(poll(tail)).isEmpty();
    }

    @Test
    void whatIsNotDoneOfTheLogKeepsItWaiting() throws IOException {
        String lines = lines(0, 10);
        write("a.log", utf8(lines));
        LogTail tail = tail(List.of());
        List<TailBatch.Item> items = items(tail);
        assertThat(items).hasSize(10);
        compress(gzip(), "a.log", lines);
        assertThat(poll(tail)).isEmpty();
        assertThat(position("a.log.gz")).as("a crash would lose what is not done").isEqualTo(-1);
        assertThat(batch(tail).caughtUp()).isFalse();
        // All but the last.
        done.put(0, tail.position(0, items.get(9).offset()));
        assertThat(poll(tail)).isEmpty();
        assertThat(position("a.log.gz")).isEqualTo(-1);
        done.put(0, tail.position(0, lines.length()));
        assertThat(poll(tail)).isEmpty();
        assertThat(position("a.log.gz")).isEqualTo(lines.length());
        assertThat(batch(tail).caughtUp()).isTrue();
    }

    @Test
    void whatIsNotDoneForLongIsReadAgain() throws IOException {
        String lines = lines(0, 10);
        write("a.log", utf8(lines));
        LogTail tail = tail(List.of());
        assertThat(items(tail)).hasSize(10);
        compress(gzip(), "a.log", lines);
        assertThat(poll(tail)).isEmpty();
        nowNanos += CopyCheck.PATIENCE.toNanos();
        assertThat(poll(tail)).hasSize(10);
    }

    @Test
    void aLogThatBeginsAlikeAndIsAnotherIsReadWhole() throws IOException {
        // The same first 8 KiB, and the same length.
        String lines = lines(0, 3_000);
        write("a.log", utf8(lines));
        LogTail tail = tail(List.of());
        assertThat(poll(tail)).hasSize(3_000);
        settle(tail);
        String other = lines.replace("click-2999", "other-2999");
        Files.delete(directory.resolve("a.log"));
        write("b.log.gz", TestLogs.gzip(utf8(other)));
        assertThat(poll(tail)).hasSize(3_000).contains("other-2999");
    }

    @Test
    void oneThatIsShorterThanWhatWasReadIsReadWhole() throws IOException {
        write("a.log", utf8(lines(0, 3_000)));
        LogTail tail = tail(List.of());
        assertThat(poll(tail)).hasSize(3_000);
        settle(tail);
        Files.delete(directory.resolve("a.log"));
        write("b.log.gz", TestLogs.gzip(utf8(lines(0, 2_000))));
        assertThat(poll(tail)).hasSize(2_000);
    }

    @Test
    void itMayGrowWhileItIsCompressed() throws IOException {
        String lines = lines(0, 5_000);
        write("a.log", utf8(lines));
        LogTail tail = tail(List.of());
        assertThat(poll(tail)).hasSize(5_000);
        settle(tail);
        byte[] packed = TestLogs.gzip(utf8(lines));
        for (int at = 0; at < packed.length; at += 5_000) {
            byte[] part = Arrays.copyOfRange(packed, at, Math.min(packed.length, at + 5_000));
            Files.write(
                    directory.resolve("a.log.gz"),
                    part,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
            assertThat(poll(tail)).isEmpty();
        }
        Files.delete(directory.resolve("a.log"));
        assertThat(poll(tail)).isEmpty();
        assertThat(position("a.log.gz")).isEqualTo(lines.length());
    }

    @Test
    void aMemberOfSeveralMegabytesIsKnownToo() throws IOException {
        String lines = lines(0, 400_000);
        assertThat(lines.length()).isGreaterThan(5 << 20);
        write("a.log", utf8(lines));
        LogTail tail = tail(List.of());
        assertThat(poll(tail)).hasSize(400_000);
        settle(tail);
        compress(gzip(), "a.log", lines + "1,more\n");
        assertThat(poll(tail)).containsExactly("more");
    }

    @Test
    void itIsFoundEmptyAtFirst() throws IOException {
        String lines = lines(0, 10);
        write("a.log", utf8(lines));
        LogTail tail = tail(List.of());
        assertThat(poll(tail)).hasSize(10);
        settle(tail);
        write("a.log.gz", new byte[0]);
        assertThat(poll(tail)).isEmpty();
        compress(gzip(), "a.log", lines);
        assertThat(poll(tail)).isEmpty();
        assertThat(position("a.log.gz")).isEqualTo(lines.length());
    }

    @Test
    void aLogThatWasCompressedIsNotMissedThoughNothingTellsThatItIsTheSame() throws IOException {
        String lines = lines(0, 10);
        write("a.log", utf8(lines));
        LogTail tail = tail(List.of());
        assertThat(poll(tail)).hasSize(10);
        settle(tail);
        List<FilePosition> positions =
                done.values().stream().map(position -> position.withContent(null)).toList();
        compress(gzip(), "a.log", lines);
        LogTail next = tail(positions);
        assertThat(poll(next)).as("read again").hasSize(10);
        assertThat(next.inSight()).isTrue();
        settle(next);
        // Both are known from an earlier life.
        List<FilePosition> both = new ArrayList<>(positions);
        both.addAll(done.values());
        next = tail(both);
        assertThat(poll(next)).isEmpty();
        assertThat(next.inSight()).isTrue();

        Files.delete(directory.resolve("a.log.gz"));
        write("b.log", utf8(lines(20, 21)));
        poll(next);
        assertThat(next.inSight()).as("now it is missed").isFalse();
    }

    /** Whichever look at the file fails. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void whichLogItIsACopyOfIsLookedForAgainIfThatFailed(int failing) throws IOException {
        String lines = lines(0, 10);
        write("a.log", utf8(lines));
        int[] reads = {0};
        FileStore files =
                new TestLogs.Refusing(FILES) {
                    @Override
                    public ReadFile open(String path) throws IOException {
                        return path.endsWith(".gz")
                                ? reading(
                                        super.open(path),
                                        () -> {
                                            if (++reads[0] == failing) {
                                                throw new IOException("Input/output error");
                                            }
                                        })
                                : super.open(path);
                    }
                };
        LogTail tail =
                new LogTail(files, stream(), List.of(), Duration.ZERO, TestLogs.LATER)
                        .lookForCopies(PositionsElsewhere.NONE);
        assertThat(poll(tail)).hasSize(10);
        settle(tail);
        compress(gzip(), "a.log", lines);
        assertThat(poll(tail)).isEmpty();
        assertThat(reads[0]).isGreaterThanOrEqualTo(12);
        assertThat(position("a.log.gz")).isEqualTo(lines.length());
        assertThat(tail.inSight()).as("nothing is missing").isTrue();
    }

    /** It goes between its last bytes and the first look at what is in it. */
    @Test
    void whatLosesItsNameIsReadAllTheSame() throws IOException {
        byte[] packed = TestLogs.gzip(utf8(lines(0, 100)));
        int half = packed.length / 2;
        write("a.log.gz", Arrays.copyOf(packed, half));
        LogTail tail = tail(List.of());
        assertThat(poll(tail)).isEmpty();
        append("a.log.gz", Arrays.copyOfRange(packed, half, packed.length));
        Files.delete(directory.resolve("a.log.gz"));
        assertThat(poll(tail)).hasSize(100);
    }

    /** A reset of the state says so, say. */
    @Test
    void whatItsOwnPositionSaysIsReadAgainThoughTheLogWasRead() throws IOException {
        String lines = lines(0, 10);
        write("a.log", utf8(lines));
        LogTail tail = tail(List.of());
        assertThat(poll(tail)).hasSize(10);
        settle(tail);
        compress(gzip(), "a.log", lines);
        assertThat(poll(tail)).isEmpty();
        List<FilePosition> reset =
                done.values().stream()
                        .map(
                                position ->
                                        position.path().endsWith(".gz")
                                                ? new FilePosition(
                                                        position.path(),
                                                        position.key(),
                                                        position.prefixLength(),
                                                        position.prefixHash(),
                                                        0)
                                                : position)
                        .toList();
        assertThat(reset).hasSize(2).extracting(FilePosition::offset).contains(0L);
        assertThat(poll(tail(reset))).hasSize(10);
    }

    /** As a backup of a log that is written makes it. */
    @Test
    void aLogThatHasGrownSinceItWasCopiedIsMissed() throws IOException {
        String lines = lines(0, 3_000);
        write("a.log", utf8(lines));
        write("b.log", utf8(lines(5_000, 5_001)));
        LogTail tail = tail(List.of());
        assertThat(poll(tail)).hasSize(3_001);
        settle(tail);
        write("copy.log.gz", TestLogs.gzip(utf8(lines)));
        assertThat(poll(tail)).isEmpty();
        append("a.log", utf8(lines(3_000, 3_001)));
        makeNew("a.log");
        assertThat(poll(tail)).hasSize(1);
        settle(tail);
        assertThat(tail.inSight()).isTrue();
        Files.delete(directory.resolve("a.log"));
        poll(tail);
        assertThat(tail.inSight()).isFalse();
    }

    @Test
    void aCorruptLogIsMissedForAsLongAsAWholeOneMayTakeItsPlace() throws IOException {
        byte[] damaged = TestLogs.gzip(utf8(lines(0, 1_000)));
        damaged[damaged.length / 2] ^= 1;
        write("a.log.gz", damaged);
        LogTail tail = tail(List.of());
        assertThat(tail.poll(10, nowNanos).items()).hasSize(1);
        assertThat(tail.inSight()).isFalse();
        Files.setLastModifiedTime(
                directory.resolve("a.log.gz"),
                FileTime.fromMillis(
                        TestLogs.LATER.now().earliestMicros() / 1_000
                                - AbsentFiles.WRITTEN.plus(AbsentFiles.AWAY).toMillis()
                                - 1_000));
        poll(tail);
        assertThat(tail.inSight()).isTrue();
    }

    @Test
    void whatCannotBeReadAnyMoreAwaitsNoLastRecord() throws IOException {
        boolean[] broken = {false};
        FileStore files =
                new TestLogs.Refusing(FILES) {
                    @Override
                    public ReadFile open(String path) throws IOException {
                        return reading(
                                super.open(path),
                                () -> {
                                    if (broken[0]) {
                                        throw new IOException("Input/output error");
                                    }
                                });
                    }
                };
        write("a.log.gz", TestLogs.gzip(utf8("1,a\n1,no end")));
        Files.setLastModifiedTime(
                directory.resolve("a.log.gz"),
                FileTime.fromMillis(TestLogs.LATER.now().earliestMicros() / 1_000));
        LogTail tail = new LogTail(files, stream(), List.of(), Duration.ZERO, TestLogs.LATER);
        assertThat(poll(tail)).hasSize(1);
        assertThat(batch(tail).endsAwaited()).isTrue();
        broken[0] = true;
        nowNanos += Duration.ofHours(1).toNanos();
        poll(tail);
        poll(tail);
        assertThat(batch(tail).endsAwaited()).isFalse();
        assertThat(batch(tail).caughtUp()).isTrue();
        assertThat(tail.readings())
                .singleElement()
                .extracting(FileReading::state)
                .isEqualTo(FileReading.State.FAILED);
    }

    @Test
    void anotherLogWithTheKeyOfOneThatWasCompressedIsMissed() throws IOException {
        String lines = lines(0, 10);
        write("a.log", utf8(lines));
        LogTail tail = tail(List.of());
        assertThat(poll(tail)).hasSize(10);
        settle(tail);
        FilePosition read = List.copyOf(done.values()).get(0);
        compress(gzip(), "a.log", lines);
        LogTail next = tail(List.of(read));
        poll(next);
        assertThat(next.inSight()).isTrue();

        FilePosition other =
                new FilePosition(
                        directory + "/b.log", read.key(), 5, "ab", 5, read.modifiedMillis());
        next = tail(List.of(read, other));
        poll(next);
        assertThat(next.inSight()).isFalse();
    }

    @Test
    void whatAnotherPartitionHasReadCountsToo() throws IOException {
        String lines = lines(0, 10);
        write("a.log", utf8(lines));
        LogTail other = tail(List.of());
        assertThat(poll(other)).hasSize(10);
        settle(other);
        List<FilePosition> positions = List.copyOf(done.values());
        done.clear();
        compress(gzip(), "a.log", lines + lines(10, 12));
        LogTail tail =
                new LogTail(FILES, stream(), List.of(), Duration.ZERO, TestLogs.LATER)
                        .lookForCopies(() -> positions);
        assertThat(poll(tail)).containsExactly("click-10", "click-11");

        tail =
                new LogTail(FILES, stream(), List.of(), Duration.ZERO, TestLogs.LATER)
                        .lookForCopies(
                                () -> {
                                    throw new IOException("not now");
                                });
        assertThat(poll(tail)).hasSize(12);
    }

    @Test
    void ofALogWhoseEndIsMissingWhatIsThereIsRead() throws IOException {
        String lines = lines(0, 100);
        write("a.log", utf8(lines));
        LogTail tail = tail(List.of());
        assertThat(poll(tail)).hasSize(100);
        settle(tail);
        Files.delete(directory.resolve("a.log"));
        // Two members, of which the second one is cut. The first one is a beginning of the log.
        byte[] first = TestLogs.gzip(utf8(lines(0, 50)));
        byte[] second = TestLogs.gzip(utf8(lines(50, 100)));
        write("a.log.gz", concat(first, Arrays.copyOf(second, second.length / 2)));
        assertThat(poll(tail)).hasSize(50);
    }

    @Test
    void whoDoesNotSayWhatIsDoneReadsItAgain() throws IOException {
        String lines = lines(0, 10);
        write("a.log", utf8(lines));
        LogTail tail = new LogTail(FILES, stream(), List.of(), Duration.ZERO, TestLogs.LATER);
        assertThat(poll(tail)).hasSize(10);
        compress(gzip(), "a.log", lines);
        assertThat(poll(tail)).hasSize(10);
    }

    @Test
    void fourBytesHaveEachCrc() {
        Random random = new Random(7);
        for (int i = 0; i < 1_000; i++) {
            byte[] bytes = new byte[random.nextInt(50)];
            random.nextBytes(bytes);
            CRC32 whole = new CRC32();
            whole.update(bytes);
            ContentCrc resumed = new ContentCrc();
            resumed.resume(bytes.length, (int) whole.getValue());
            assertThat(resumed.at(bytes.length)).isEqualTo((int) whole.getValue());
            byte[] more = new byte[random.nextInt(50)];
            random.nextBytes(more);
            whole.update(more);
            resumed.take(more, 0, more.length, bytes.length);
            assertThat(resumed.at(bytes.length + more.length)).isEqualTo((int) whole.getValue());
        }
    }

    @Test
    void whatIsTakenTwiceCountsOnceAndAGapEndsIt() {
        byte[] bytes = utf8("abcdef");
        CRC32 whole = new CRC32();
        whole.update(bytes);
        ContentCrc content = new ContentCrc();
        content.take(bytes, 0, 4, 0);
        content.take(bytes, 0, 3, 0);
        content.take(bytes, 2, 4, 2);
        assertThat(content.at(6)).isEqualTo((int) whole.getValue());
        assertThat(content.at(4)).isNull();
        content.take(bytes, 0, 1, 7);
        assertThat(content.at(8)).isNull();
        content.resume(5, null);
        content.take(bytes, 0, 6, 5);
        assertThat(content.at(11)).isNull();
    }

    /** A look at the file, which may fail. */
    @FunctionalInterface
    private interface Look {
        void allow() throws IOException;
    }

    /** The file, of which no look is taken that is not allowed. */
    private static FileStore.ReadFile reading(FileStore.ReadFile file, Look look) {
        return (FileStore.ReadFile)
                Proxy.newProxyInstance(
                        FileStore.ReadFile.class.getClassLoader(),
                        new Class<?>[] {FileStore.ReadFile.class},
                        (proxy, method, args) -> {
                            if (!method.getName().equals("close")) {
                                look.allow();
                            }
                            return method.invoke(file, args);
                        });
    }

    private static CompressedLogTest.Packing gzip() {
        return new CompressedLogTest.Packing("gzip", TestLogs::gzip);
    }

    private static String lines(int from, int to) {
        StringBuilder lines = new StringBuilder();
        for (int i = from; i < to; i++) {
            lines.append("1,click-").append(i).append('\n');
        }
        return lines.toString();
    }

    private static byte[] concat(byte[] one, byte[] other) {
        byte[] both = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, both, one.length, other.length);
        return both;
    }

    private void compress(CompressedLogTest.Packing packing, String name, String lines)
            throws IOException {
        write(name + ".gz", packing.pack().apply(utf8(lines)));
        Files.delete(directory.resolve(name));
    }

    private void write(String name, byte[] bytes) throws IOException {
        Files.write(directory.resolve(name), bytes);
        makeNew(name);
    }

    private void makeNew(String name) throws IOException {
        // Of now by the tail's clock, so that a log that vanishes would be missed.
        Files.setLastModifiedTime(
                directory.resolve(name),
                FileTime.fromMillis(TestLogs.LATER.now().earliestMicros() / 1_000 - 100_000));
    }

    private void append(String name, byte[] bytes) throws IOException {
        Files.write(directory.resolve(name), bytes, StandardOpenOption.APPEND);
    }

    private LogTail tail(List<FilePosition> resume) {
        return new LogTail(FILES, stream(), resume, Duration.ZERO, TestLogs.LATER)
                .lookForCopies(PositionsElsewhere.NONE);
    }

    private photon.core.config.StreamConfig stream() {
        return TestLogs.stream(format, directory + "/*.log*");
    }

    private List<String> poll(LogTail tail) throws IOException {
        return TestLogs.ids(items(tail));
    }

    /** What came. What came without an event is done at once. */
    private List<TailBatch.Item> items(LogTail tail) throws IOException {
        List<TailBatch.Item> items = new ArrayList<>();
        for (int quiet = 0; quiet < 3; ) {
            TailBatch batch = batch(tail);
            quiet = batch.items().isEmpty() ? quiet + 1 : 0;
            for (TailBatch.Item item : batch.items()) {
                if (item.event() == null) {
                    done.put(item.file(), tail.position(item.file(), item.endOffset()));
                } else {
                    items.add(item);
                }
            }
        }
        last = items;
        return items;
    }

    private List<TailBatch.Item> last = List.of();

    /** What came last is done. */
    private void settle(LogTail tail) {
        for (TailBatch.Item item : last) {
            done.put(item.file(), tail.position(item.file(), item.endOffset()));
        }
    }

    private TailBatch batch(LogTail tail) throws IOException {
        nowNanos += Duration.ofSeconds(2).toNanos();
        return tail.poll(10_000, nowNanos);
    }

    /** In the checkpoint; -1: it has none of the file. */
    private long position(String name) {
        return done.values().stream()
                .filter(position -> position.path().endsWith("/" + name))
                .mapToLong(FilePosition::offset)
                .max()
                .orElse(-1);
    }
}
