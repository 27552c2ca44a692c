package photon.storage.tail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static photon.storage.tail.TestLogs.gzip;
import static photon.storage.tail.TestLogs.stream;
import static photon.storage.tail.TestLogs.utf8;
import static photon.storage.tail.TestLogs.zstd;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.core.config.FormatConfig;
import photon.storage.files.FileStore;
import photon.storage.files.HadoopFileStore;

class LogTailTest {
    private static final FileStore FILES = new HadoopFileStore();

    @TempDir Path directory;
    private long now;

    @Test
    void linesAreReadOnceAndGrowthIsFollowed() throws IOException {
        write("a.log", "1,x\n2,y\n");
        LogTail tail = tail(List.of());
        assertThat(ids(poll(tail))).containsExactly("x", "y");
        append("a.log", "3,z\n");
        write("b.log", "4,w\n");
        assertThat(ids(poll(tail))).containsExactlyInAnyOrder("z", "w");
        assertThat(ids(poll(tail))).isEmpty();
        assertThat(poll(tail).caughtUp()).isTrue();
        assertThat(tail.lag().bytes()).isZero();
    }

    @Test
    void growthOfAnOpenFileIsSeenBetweenTwoListings() throws IOException {
        write("a.log", "1,x\n");
        LogTail tail =
                new LogTail(
                        FILES,
                        stream(directory + "/*.log"),
                        List.of(),
                        Duration.ofDays(1),
                        TestLogs.LATER);
        assertThat(tail.poll(10, 0).caughtUp()).isTrue();
        append("a.log", "2,y\n");
        TailBatch batch = tail.poll(10, Duration.ofSeconds(2).toNanos());
        assertThat(ids(batch)).containsExactly("y");
        assertThat(batch.caughtUp()).as("no listing was made in this poll").isFalse();
    }

    /**
     * A poll that lists has much to read where much is written, and ends at its bound each time.
     */
    @Test
    void whatAListingShowsMayBeReadToItsEndInALaterPoll() throws IOException {
        write("a.log", "");
        LogTail tail =
                new LogTail(
                        FILES,
                        stream(directory + "/*.log"),
                        List.of(),
                        Duration.ofSeconds(1),
                        TestLogs.LATER);
        for (int second = 0; second < 3; second++) {
            long now = Duration.ofSeconds(second).toNanos();
            for (int i = 0; i < 25; i++) {
                append("a.log", second + "," + i + "\n");
            }
            assertThat(tail.poll(10, now).caughtUp()).isFalse();
            assertThat(tail.poll(10, now + 100).caughtUp()).isFalse();
            assertThat(tail.poll(10, now + 200).caughtUp()).as("second %s", second).isTrue();
            assertThat(tail.listedNanos()).isEqualTo(now);
            assertThat(tail.poll(10, now + 300).caughtUp()).as("once a listing").isFalse();
        }
    }

    @Test
    void aHalfWrittenLastLineIsNotParsedAndIsListed() throws IOException {
        write("a.log", "1,x\n2,hal");
        LogTail tail = tail(List.of());
        TailBatch batch = poll(tail);
        assertThat(ids(batch)).containsExactly("x");
        assertThat(batch.caughtUp()).isTrue();
        assertThat(tail.unterminated())
                .containsExactly(new Unterminated(directory + "/a.log", 4, 5));
        append("a.log", "f\n");
        assertThat(ids(poll(tail))).containsExactly("half");
        assertThat(tail.unterminated()).isEmpty();
    }

    @Test
    void aWriterThatCutsOffItsTornLineAndGoesOnGivesNoMixedRecord() throws IOException {
        write("a.log", "1,x\n2,torn");
        LogTail tail = tail(List.of());
        poll(tail);
        write("a.log", "1,x\n3,next-one\n");
        assertThat(ids(poll(tail))).containsExactly("next-one");
    }

    @Test
    void renamedFilesKeepTheirPositions() throws IOException {
        write("a.log", "1,x\n");
        LogTail tail = tail(List.of());
        poll(tail);
        Files.move(file("a.log"), file("a.1.log"));
        append("a.1.log", "2,y\n");
        write("a.log", "3,z\n");
        assertThat(ids(poll(tail))).containsExactlyInAnyOrder("y", "z");
    }

    @Test
    void aFileRenamedOutOfTheGlobIsReadToItsEnd() throws IOException {
        write("a.log", "1,x\n");
        LogTail tail = tail(List.of());
        poll(tail);
        append("a.log", "2,y\n");
        Files.move(file("a.log"), file("a.old"));
        assertThat(ids(poll(tail))).containsExactly("y");
    }

    @Test
    void aTruncatedFileIsReadFromItsStart() throws IOException {
        write("a.log", "1,first\n2,second\n");
        LogTail tail = tail(List.of());
        poll(tail);
        write("a.log", "3,z\n");
        assertThat(ids(poll(tail))).containsExactly("z");
    }

    @Test
    void aFileRewrittenLongerIsReadFromItsStart() throws IOException {
        write("a.log", "1,x\n");
        LogTail tail = tail(List.of());
        poll(tail);
        write("a.log", "3,quite\n4,other\n");
        assertThat(ids(poll(tail))).containsExactly("quite", "other");
    }

    @Test
    void twoNamesOfOneFileAreReadOnce() throws IOException {
        write("a.log", "1,x\n");
        Files.createLink(file("b.log"), file("a.log"));
        Files.createSymbolicLink(file("c.log"), file("a.log"));
        assertThat(ids(poll(tail(List.of())))).containsExactly("x");
    }

    @Test
    void aResumedTailGoesOnBehindTheStoredPosition() throws IOException {
        write("a.log", "1,x\n2,y\n3,z\n");
        LogTail first = tail(List.of());
        TailBatch batch = poll(first);
        TailBatch.Item second = batch.items().get(1);
        FilePosition position = first.position(second.file(), second.endOffset());
        byte[] stored = CheckpointFiles.content(new Checkpoint(7, List.of(position)));
        Files.move(file("a.log"), file("b.log"));
        append("b.log", "4,w\n");
        Checkpoint checkpoint = new CheckpointFiles(FILES, directory.toString()).resume(stored);
        assertThat(checkpoint.owner()).isEqualTo(7);
        assertThat(ids(poll(tail(checkpoint.positions())))).containsExactly("z", "w");
    }

    @Test
    void aPositionOfOtherContentUnderTheSameKeyIsNotUsed() throws IOException {
        write("a.log", "1,x\n2,y\n");
        LogTail first = tail(List.of());
        TailBatch batch = poll(first);
        FilePosition position = first.position(batch.items().get(0).file(), 8);
        write("a.log", "5,u\n6,v\n7,w\n");
        assertThat(ids(poll(tail(List.of(position))))).containsExactly("u", "v", "w");
    }

    @Test
    void ofTwoPositionsThatFitTheSmallerIsUsed() throws IOException {
        write("a.log", "1,x\n2,y\n");
        LogTail first = tail(List.of());
        int file = poll(first).items().get(0).file();
        List<FilePosition> both = List.of(first.position(file, 8), first.position(file, 4));
        assertThat(ids(poll(tail(both)))).containsExactly("y");
    }

    @Test
    void compressedFilesAreKnownByTheirFirstBytesAndEndWithoutLineFeed() throws IOException {
        Files.write(file("a.log"), gzip(utf8("1,x\n2,y")));
        Files.write(file("b.log"), zstd(utf8("3,z\n4,w")));
        LogTail tail = tail(List.of());
        TailBatch batch = poll(tail);
        assertThat(ids(batch)).containsExactlyInAnyOrder("x", "y", "z", "w");
        assertThat(batch.caughtUp()).isTrue();
        assertThat(tail.unterminated()).isEmpty();
    }

    @Test
    void membersAndFramesFollowEachOther() throws IOException {
        Files.write(file("a.log"), gzip(utf8("1,x\n2,")));
        append("a.log", gzip(utf8("y\n")));
        Files.write(file("b.log"), zstd(utf8("3,z\n4,")));
        append("b.log", zstd(utf8("w\n")));
        assertThat(ids(poll(tail(List.of())))).containsExactlyInAnyOrder("x", "y", "z", "w");
    }

    @Test
    void aCompressedFileIsReadAsItGrowsByteByByte() throws IOException {
        List<byte[]> contents = List.of(gzip(utf8("1,x\n2,y\n3,z")), zstd(utf8("1,x\n2,y\n3,z")));
        for (byte[] content : contents) {
            Path grown = file("grown.log");
            Files.deleteIfExists(grown);
            LogTail tail = tail(List.of());
            List<String> seen = new ArrayList<>();
            for (int i = 0; i < content.length; i++) {
                Files.write(
                        grown,
                        new byte[] {content[i]},
                        StandardOpenOption.CREATE,
                        StandardOpenOption.APPEND);
                TailBatch batch = poll(tail);
                seen.addAll(ids(batch));
                assertThat(bad(batch)).isEmpty();
                assertThat(batch.caughtUp()).isTrue();
                if (i < content.length - 1) {
                    assertThat(seen).doesNotContain("z");
                    assertThat(tail.unterminated()).hasSize(1);
                }
            }
            assertThat(seen).containsExactly("x", "y", "z");
            assertThat(tail.unterminated()).isEmpty();
        }
    }

    @Test
    void aBrokenCompressedFileIsOneBadItemAndTheOthersGoOn() throws IOException {
        byte[] broken = gzip(utf8("1,x\n2,y\n"));
        broken[broken.length - 6] ^= 1; // in the checksum
        Files.write(file("a.log"), broken);
        byte[] garbage = zstd(TestLogs.random(5000));
        Arrays.fill(garbage, 2000, 2100, (byte) 7);
        Files.write(file("b.log"), garbage);
        write("c.log", "5,fine\n");
        LogTail tail = tail(List.of());
        TailBatch batch = poll(tail);
        assertThat(ids(batch)).contains("fine");
        assertThat(bad(batch))
                .filteredOn(reason -> reason.contains("stream is corrupt"))
                .hasSize(2);
        assertThat(batch.caughtUp()).isTrue();
        assertThat(poll(tail).items()).isEmpty();
    }

    @Test
    void aResumedCompressedFileGoesOnBehindTheStoredPosition() throws IOException {
        Files.write(file("a.log"), gzip(utf8("1,x\n2,y\n3,z\n")));
        LogTail first = tail(List.of());
        TailBatch.Item item = poll(first).items().get(1);
        FilePosition position = first.position(item.file(), item.endOffset());
        assertThat(ids(poll(tail(List.of(position))))).containsExactly("z");
    }

    @Test
    void eachFileTellsHowFarItIsReadAndWhyNotFurther() throws IOException {
        write("read.log", "1,x\n");
        write("cut.log", "1,y\n2,hal");
        Files.write(file("broken.log"), Arrays.copyOf(gzip(utf8("1,z\n")), 15));
        Files.write(file("broken.log"), new byte[20], StandardOpenOption.APPEND);
        write("gone.log", "1,w\n");
        LogTail tail = tail(List.of());
        assertThat(tail.readings()).as("before the first look").isEmpty();
        poll(tail);
        Files.delete(file("gone.log"));
        for (int i = 0; i < 5; i++) {
            poll(tail);
        }
        write("late.log", "1,v\n2,u\n");
        assertThat(tail.readings().stream().sorted(FileReading.URGENT_FIRST))
                .extracting(
                        reading -> reading.path().substring(directory.toString().length() + 1),
                        FileReading::state,
                        FileReading::offset)
                .containsExactly(
                        tuple("broken.log", FileReading.State.FAILED, 0L),
                        tuple("cut.log", FileReading.State.INCOMPLETE, 4L),
                        tuple("read.log", FileReading.State.READ, 4L),
                        tuple("gone.log", FileReading.State.GONE, 4L));
        assertThat(tail.readings().stream().filter(each -> each.path().endsWith("cut.log")))
                .singleElement()
                .extracting(FileReading::why)
                .isEqualTo("5 bytes at its end are no whole record yet");
    }

    @Test
    void emptyFilesLinesAndShortFilesAreNoError() throws IOException {
        write("a.log", "");
        write("b.log", "\n\r\n1,x\r\n");
        Files.write(file("c.log"), new byte[] {0x1F});
        LogTail tail = tail(List.of());
        TailBatch batch = poll(tail);
        assertThat(ids(batch)).containsExactly("x");
        assertThat(bad(batch)).isEmpty();
        assertThat(batch.caughtUp()).isTrue();
        assertThat(tail.unterminated()).hasSize(1);
    }

    @Test
    void neighbouringFilteredLinesAreOneItem() throws IOException {
        write("a.log", "#\n#\n1,x\n#\n#\n");
        LogTail tail = tail(List.of());
        assertThat(poll(tail).items()).hasSize(3);
    }

    @Test
    void anOverlongLineIsOneBadItemAndIsSkipped() throws IOException {
        byte[] line = new byte[RecordSplitter.RECORD_BYTES_MAX + 5];
        Arrays.fill(line, (byte) 'a');
        Files.write(file("a.log"), line);
        LogTail tail = tail(List.of());
        assertThat(pollAll(tail)).isEmpty();
        assertThat(tail.unterminated())
                .containsExactly(new Unterminated(directory + "/a.log", 0, line.length));
        append("a.log", "\n1,x\n");
        List<TailBatch.Item> items = pollAll(tail);
        assertThat(items).hasSize(2);
        assertThat(items.get(0).bad()).isNotNull();
        assertThat(items.get(0).offset()).isZero();
        assertThat(items.get(0).endOffset()).isEqualTo(line.length + 1);
        assertThat(items.get(1).event()).isNotNull();
    }

    @Test
    void aHeaderIsReadAgainWhenAFileIsResumedBehindIt() throws IOException {
        write("a.log", "id,t\nx,1\ny,2\n");
        FormatConfig csv = new FormatConfig.Csv(true, ',', List.of(), "");
        LogTail first = tail(csv, List.of());
        TailBatch batch = poll(first);
        assertThat(ids(batch)).containsExactly("x", "y");
        FilePosition position =
                first.position(batch.items().get(1).file(), batch.items().get(1).endOffset());
        assertThat(ids(poll(tail(csv, List.of(position))))).containsExactly("y");
        Files.write(file("b.log"), gzip(utf8("t,id\n1,x\n2,y\n")));
        Files.delete(file("a.log"));
        LogTail second = tail(csv, List.of());
        batch = poll(second);
        position = second.position(batch.items().get(1).file(), batch.items().get(1).endOffset());
        assertThat(ids(poll(tail(csv, List.of(position))))).containsExactly("y");
    }

    @Test
    void framesAreReadAsTheyGrowAndCorruptOnesAreSkipped() throws IOException {
        FormatConfig framed = new FormatConfig.Framed();
        byte[] one = TestLogs.frame("{\"t\":1,\"id\":\"x\"}");
        byte[] two = TestLogs.frame("{\"t\":2,\"id\":\"y\"}");
        byte[] three = TestLogs.frame("{\"t\":3,\"id\":\"z\"}");
        Files.write(file("a.log"), one);
        append("a.log", Arrays.copyOf(two, 9));
        LogTail tail = tail(framed, List.of());
        assertThat(ids(poll(tail))).containsExactly("x");
        assertThat(tail.unterminated())
                .containsExactly(new Unterminated(directory + "/a.log", one.length, 9));
        append("a.log", Arrays.copyOfRange(two, 9, two.length));
        assertThat(ids(poll(tail))).containsExactly("y");
        byte[] broken = one.clone();
        broken[20] ^= 1;
        append("a.log", broken);
        append("a.log", broken);
        append("a.log", three);
        TailBatch batch = poll(tail);
        assertThat(ids(batch)).containsExactly("z");
        TailBatch.Item skipped = batch.items().get(0);
        assertThat(skipped.bad()).isNotNull();
        assertThat(skipped.offset()).isEqualTo(one.length + two.length);
        assertThat(skipped.endOffset()).isEqualTo(3L * one.length + two.length);
    }

    @Test
    void aTornFrameAtTheEndOfAFinishedFileIsABadRecord() throws IOException {
        byte[] one = TestLogs.frame("{\"t\":1,\"id\":\"x\"}");
        byte[] both = Arrays.copyOf(one, 2 * one.length - 3);
        System.arraycopy(one, 0, both, one.length, one.length - 3);
        Files.write(file("a.log"), gzip(both));
        LogTail tail = tail(new FormatConfig.Framed(), List.of());
        TailBatch batch = poll(tail);
        assertThat(ids(batch)).containsExactly("x");
        assertThat(bad(batch)).hasSize(1);
        assertThat(batch.items().get(1).offset()).isEqualTo(one.length);
        assertThat(tail.unterminated()).isEmpty();
    }

    @Test
    void aByteOrderMarkIsNoPartOfTheFirstRecord() throws IOException {
        Files.write(file("a.log"), utf8("\uFEFFt,id\n1,x\n"));
        FormatConfig csv = new FormatConfig.Csv(true, ',', List.of(), "");
        assertThat(ids(poll(tail(csv, List.of())))).containsExactly("x");
    }

    @Test
    void filesTakeTurns() throws IOException {
        StringBuilder many = new StringBuilder();
        for (int i = 0; i < 200_000; i++) {
            many.append("1,a").append(i).append('\n');
        }
        write("a.log", many.toString());
        write("b.log", "1,b\n");
        LogTail tail = tail(List.of());
        List<String> seen = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            seen.addAll(ids(tail.poll(10_000, now++)));
        }
        assertThat(seen).contains("b");
    }

    @Test
    void moreFilesThanMayBeOpenAreAllRead() throws IOException {
        for (int i = 0; i < 20; i++) {
            if (i % 2 == 0) {
                write("f" + i + ".log", "1,p" + i + "\n1,q" + i + "\n");
            } else {
                Files.write(file("f" + i + ".log"), gzip(utf8("1,p" + i + "\n1,q" + i + "\n")));
            }
        }
        LogTail tail =
                TestLogs.narrow(
                        FILES,
                        stream(directory + "/*.log"),
                        List.of(),
                        Duration.ZERO,
                        TestLogs.LATER,
                        3);
        List<String> seen = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            seen.addAll(ids(tail.poll(1, now++)));
        }
        assertThat(seen).hasSize(40).doesNotHaveDuplicates();
        for (int i = 0; i < 20; i += 2) {
            append("f" + i + ".log", "1,r" + i + "\n");
        }
        assertThat(ids(poll(tail))).hasSize(10);
    }

    @Test
    void aFileThatMayNotBeReadIsOneBadItemAndIsReadWhenItMay() throws IOException {
        write("a.log", "1,x\n");
        write("b.log", "1,y\n");
        TestLogs.Refusing files = new TestLogs.Refusing(FILES);
        files.refusal = path -> path.endsWith("a.log") ? new AccessDeniedException(path) : null;
        LogTail tail =
                new LogTail(
                        files,
                        stream(directory + "/*.log"),
                        List.of(),
                        Duration.ZERO,
                        TestLogs.LATER);
        TailBatch batch = poll(tail);
        assertThat(ids(batch)).containsExactly("y");
        assertThat(bad(batch)).hasSize(1);
        assertThat(batch.caughtUp()).isTrue();
        assertThat(tail.inSight()).as("what it holds may be missed").isFalse();
        assertThat(poll(tail).items()).isEmpty();
        files.refusal = path -> null;
        assertThat(ids(poll(tail))).containsExactly("x");
        assertThat(tail.inSight()).isTrue();

        files.refusal = path -> path.endsWith("c.log") ? new AccessDeniedException(path) : null;
        write("c.log", "1,z\n");
        poll(tail);
        assertThat(tail.inSight()).isFalse();
        Files.delete(directory.resolve("c.log"));
        poll(tail);
        assertThat(tail.inSight()).as("of long ago, and nobody has it any more").isTrue();
    }

    /** It is rotated between the listing and the look at it. */
    @Test
    void whatTookThePlaceOfAFileThatCannotBeReadTellsNothingOfIt() throws IOException {
        write("a.log", "1,x\n");
        write("b.log", "1,y\n");
        TestLogs.Refusing files = new TestLogs.Refusing(FILES);
        files.refusal = path -> path.endsWith("a.log") ? new AccessDeniedException(path) : null;
        LogTail tail = tail(files);
        poll(tail);
        assertThat(tail.inSight()).isFalse();
        files.refusal =
                path -> {
                    if (path.endsWith("a.log")) {
                        rotate("a.log");
                    }
                    return null;
                };
        poll(tail);
        assertThat(tail.inSight()).as("nobody has read what was a.log").isFalse();
        files.refusal = path -> null;
        assertThat(TestLogs.ids(pollAll(tail))).contains("x");
        assertThat(tail.inSight()).isTrue();
    }

    private void rotate(String name) {
        try {
            Files.move(directory.resolve(name), directory.resolve("rotated.log"));
            write(name, "1,new\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** An empty one is opened, and there is nothing to be read in it. */
    @Test
    void anEmptyFileThatMayBeReadAgainKeepsNothingBack() throws IOException {
        write("a.log", "");
        write("b.log", "1,y\n");
        TestLogs.Refusing files = new TestLogs.Refusing(FILES);
        files.refusal = path -> path.endsWith("a.log") ? new AccessDeniedException(path) : null;
        LogTail tail = tail(files);
        poll(tail);
        assertThat(tail.inSight()).isFalse();
        files.refusal = path -> null;
        poll(tail);
        assertThat(tail.inSight()).isTrue();
        assertThat(tail.lag().troubles()).isEqualTo(LogTroubles.NONE);
    }

    private LogTail tail(FileStore files) {
        return new LogTail(
                files, stream(directory + "/*.log*"), List.of(), Duration.ZERO, TestLogs.LATER);
    }

    @Test
    void whatWasNotReadOfALogThatHasGoneIsTold() throws IOException {
        write("a.log", "1,a\n1,b\n");
        write("b.log", "1,c\n");
        TestLogs.Refusing files = new TestLogs.Refusing(FILES);
        files.refusal = path -> path.endsWith("a.log") ? new AccessDeniedException(path) : null;
        LogTail tail = tail(files);
        poll(tail);
        assertThat(tail.lag().troubles()).isEqualTo(new LogTroubles(1, 0));
        Path away = directory.resolve("away");
        Files.move(directory.resolve("a.log"), away);
        poll(tail);
        assertThat(tail.lag().troubles()).isEqualTo(new LogTroubles(0, 8));
        assertThat(tail.lag().bytes()).isZero();
        assertThat(tail.readings())
                .filteredOn(file -> file.path().endsWith("a.log"))
                .singleElement()
                .satisfies(
                        file -> {
                            assertThat(file.state()).isEqualTo(FileReading.State.FAILED);
                            assertThat(file.unreadBytes()).isEqualTo(8);
                        });
        files.refusal = path -> null;
        Files.move(away, directory.resolve("c.log"));
        assertThat(ids(poll(tail))).containsExactly("a", "b");
        assertThat(tail.lag().troubles()).isEqualTo(LogTroubles.NONE);

        // What was read is no loss, and what is compressed stands in the other file.
        Files.delete(directory.resolve("b.log"));
        poll(tail);
        assertThat(tail.lag().troubles()).isEqualTo(LogTroubles.NONE);
        files.refusal = path -> path.endsWith("d.log") ? new AccessDeniedException(path) : null;
        write("d.log", "1,d\n");
        poll(tail);
        Files.delete(directory.resolve("d.log"));
        Files.write(directory.resolve("d.log.gz"), TestLogs.gzip(utf8("1,d\n")));
        assertThat(ids(poll(tail))).containsExactly("d");
        assertThat(tail.lag().troubles()).isEqualTo(LogTroubles.NONE);
    }

    @Test
    void aPassingReadErrorIsTriedAgainAndIsNotCaughtUp() throws IOException {
        write("a.log", "1,x\n");
        TestLogs.Refusing files = new TestLogs.Refusing(FILES);
        files.refusal = path -> new IOException("passing");
        LogTail tail =
                new LogTail(
                        files,
                        stream(directory + "/*.log"),
                        List.of(),
                        Duration.ZERO,
                        TestLogs.LATER);
        TailBatch batch = poll(tail);
        assertThat(batch.items()).isEmpty();
        assertThat(batch.caughtUp()).isFalse();
        files.refusal = path -> null;
        assertThat(ids(poll(tail))).containsExactly("x");
    }

    @Test
    void anErrorInTheMidstOfAnOverlongLineKeepsTheOrderOfItems() throws IOException {
        byte[] line = new byte[RecordSplitter.RECORD_BYTES_MAX + 5];
        Arrays.fill(line, (byte) 'a');
        Files.write(file("a.log"), line);
        write("b.log", "1,y\n");
        TestLogs.Refusing files = new TestLogs.Refusing(FILES);
        LogTail tail =
                TestLogs.narrow(
                        files,
                        stream(directory + "/*.log"),
                        List.of(),
                        Duration.ZERO,
                        TestLogs.LATER,
                        1);
        List<TailBatch.Item> items = new ArrayList<>(pollAll(tail));
        files.refusal = path -> path.endsWith("a.log") ? new AccessDeniedException(path) : null;
        append("b.log", "2,z\n"); // takes the place of a.log, which has to be opened again
        items.addAll(pollAll(tail));
        append("a.log", "\n1,x\n");
        files.refusal = path -> null;
        items.addAll(pollAll(tail));
        assertThat(TestLogs.ids(items)).containsExactlyInAnyOrder("x", "y", "z");
        assertThat(TestLogs.badReasons(items)).hasSize(2);
        long readTo = 0;
        for (TailBatch.Item item : items) {
            if (item.path().endsWith("a.log")) {
                assertThat(item.offset()).isGreaterThanOrEqualTo(readTo);
                readTo = item.endOffset();
            }
        }
    }

    @Test
    void aFileThatMayNotBeReadAtAStartKeepsItsPosition() throws IOException {
        write("a.log", "1,x\n");
        LogTail first = tail(List.of());
        TailBatch.Item item = poll(first).items().get(0);
        FilePosition position = first.position(item.file(), item.endOffset());
        TestLogs.Refusing files = new TestLogs.Refusing(FILES);
        files.refusal = AccessDeniedException::new;
        LogTail tail =
                new LogTail(
                        files,
                        stream(directory + "/*.log"),
                        List.of(position),
                        Duration.ZERO,
                        TestLogs.LATER);
        TailBatch.Item trouble = poll(tail).items().get(0);
        assertThat(trouble.bad()).isNotNull();
        assertThat(tail.position(trouble.file(), trouble.endOffset())).isEqualTo(position);
    }

    @Test
    void aNewFileUnderAnOldKeyIsReadFromItsStartThoughItsLongHeaderIsTheSame() throws IOException {
        String header = "t,id," + "a_rather_wide_table_".repeat(100) + "\n";
        FormatConfig csv = new FormatConfig.Csv(true, ',', List.of(), "");
        write("a.log", header + "1,x\n2,y\n");
        LogTail first = tail(csv, List.of());
        TailBatch.Item last = poll(first).items().get(2);
        FilePosition position = first.position(last.file(), last.endOffset());
        write("a.log", header + "3,p\n4,q\n5,r\n");
        assertThat(ids(poll(tail(csv, List.of(position))))).containsExactly("p", "q", "r");
        assertThat(ids(poll(first))).containsExactly("p", "q", "r");
    }

    private TailBatch poll(LogTail tail) throws IOException {
        now += Duration.ofSeconds(2).toNanos();
        return tail.poll(1_000, now);
    }

    private List<TailBatch.Item> pollAll(LogTail tail) throws IOException {
        List<TailBatch.Item> items = new ArrayList<>();
        TailBatch batch;
        do {
            batch = poll(tail);
            items.addAll(batch.items());
        } while (!batch.caughtUp());
        return items;
    }

    private static List<String> ids(TailBatch batch) {
        return TestLogs.ids(batch.items());
    }

    private static List<String> bad(TailBatch batch) {
        return TestLogs.badReasons(batch.items());
    }

    private LogTail tail(List<FilePosition> resume) {
        return tail(TestLogs.CSV, resume);
    }

    private LogTail tail(FormatConfig format, List<FilePosition> resume) {
        return new LogTail(
                FILES, stream(format, directory + "/*.log"), resume, Duration.ZERO, TestLogs.LATER);
    }

    private Path file(String name) {
        return directory.resolve(name);
    }

    private void write(String name, String text) throws IOException {
        Files.write(file(name), utf8(text));
    }

    private void append(String name, String text) throws IOException {
        append(name, utf8(text));
    }

    private void append(String name, byte[] bytes) throws IOException {
        Files.write(file(name), bytes, StandardOpenOption.APPEND);
    }
}
