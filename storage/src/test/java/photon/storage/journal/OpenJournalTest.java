package photon.storage.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import photon.core.event.LogEvent;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.storage.files.FileStore;
import photon.storage.files.MemoryFileStore;

class OpenJournalTest {
    private static final String DIRECTORY = "/state/journal";

    private final MemoryFileStore files = new MemoryFileStore();
    private OpenJournal journal;
    private long owner;

    @BeforeEach
    void open() throws IOException {
        journal = OpenJournal.open(files, DIRECTORY, ++owner, 10_000);
    }

    static LogEvent event(long number) {
        ByteString key = ByteString.copyFromUtf8("k" + number);
        return new LogEvent(
                new EventId(number, 1, 2, 3),
                key,
                "e" + number,
                key,
                "p" + number,
                ByteString.copyFromUtf8("{\"n\":" + number + "}"));
    }

    static JournalRow row(long number, long dueMillis) {
        return row(number, dueMillis, 1, null);
    }

    static JournalRow row(
            long number, long dueMillis, int priority, @Nullable CommitToken lostToken) {
        LogEvent event = event(number);
        JournalRow.Key key = new JournalRow.Key(event.id(), lostToken);
        return new JournalRow(key, event, 5, dueMillis, 0, priority, "waiting", false);
    }

    private void put(JournalRow row) throws IOException {
        journal.put(row);
        journal.commit();
    }

    private List<OpenJournal.Taken> take(long nowMillis) throws IOException {
        return journal.takeDue(nowMillis, 100);
    }

    private List<Long> numbers(List<OpenJournal.Taken> taken) {
        return taken.stream().map(t -> t.row().event().id().micros()).toList();
    }

    private void reopen() throws IOException {
        journal.close();
        journal = OpenJournal.open(files, DIRECTORY, ++owner, 10_000);
    }

    @Test
    void aRowIsTakenWhenItIsDueAndNotBefore() throws IOException {
        put(row(1, 100));
        assertThat(journal.nextDueMillis()).isEqualTo(100);
        assertThat(take(99)).isEmpty();
        assertThat(take(100)).extracting(OpenJournal.Taken::row).containsExactly(row(1, 100));
        assertThat(journal.nextDueMillis()).isEqualTo(Long.MAX_VALUE);
        assertThat(take(200)).isEmpty();
    }

    @Test
    void theSmallestPriorityComesFirstThenTheDueDate() throws IOException {
        put(row(1, 30));
        put(row(2, 20));
        put(row(3, 40, 0, new CommitToken(1, 1, 1)));
        put(row(4, 500, 0, new CommitToken(1, 1, 1)));
        assertThat(numbers(take(100))).containsExactly(3L, 2L, 1L);
    }

    @Test
    void aKeyThatArrivesWhileItsRowWaitsIsMerged() throws IOException {
        put(row(1, 100));
        put(row(1, 50));
        put(row(1, 70));
        assertThat(journal.waiting()).isEqualTo(1);
        assertThat(journal.nextDueMillis()).isEqualTo(50);
        reopen();
        assertThat(journal.waiting()).isEqualTo(1);
        assertThat(journal.nextDueMillis()).isEqualTo(50);
    }

    @Test
    void whatAClockThatRanAheadHasWrittenIsMended() throws IOException {
        put(row(1, 3_600_000));
        put(row(2, 1_050));
        reopen();
        journal.mendTimes(3, 1_100);
        List<OpenJournal.Taken> taken = take(3);
        assertThat(numbers(taken)).containsExactly(1L);
        assertThat(taken.get(0).row().insertedMillis()).isEqualTo(3);
        assertThat(journal.nextDueMillis()).isEqualTo(1_050);
        journal.again(taken.get(0), 20, 0, "waiting", false);
        journal.commit();
        reopen();
        assertThat(take(20)).extracting(t -> t.row().insertedMillis()).containsExactly(3L);
    }

    @Test
    void theOldestRowIsFoundAmongThoseOfOtherReasons() throws IOException {
        assertThat(journal.oldestWithout(Set.of())).isEqualTo(OpenJournal.Oldest.NONE);
        put(row(3, 100));
        put(row(7, 100));
        assertThat(journal.oldestWithout(Set.of("waiting"))).isEqualTo(OpenJournal.Oldest.NONE);
        for (OpenJournal.Taken taken : take(100)) {
            journal.again(taken, 200, 1, "reason " + taken.row().event().id().micros(), false);
        }
        journal.commit();
        assertThat(journal.oldestWithout(Set.of("reason 3")))
                .isEqualTo(new OpenJournal.Oldest(5, 7));
        assertThat(journal.oldestWithout(Set.of("waiting")))
                .isEqualTo(new OpenJournal.Oldest(5, 3));
    }

    @Test
    void aRowIsDueByATimeAtTheLatestUnlessItIsOnItsWayOrGone() throws IOException {
        put(row(1, 1_000));
        put(row(2, 20));
        put(row(3, 1_000));
        journal.dueBy(row(1, 0).key(), 50);
        journal.dueBy(row(2, 0).key(), 50);
        journal.dueBy(row(7, 0).key(), 50);
        assertThat(journal.waiting()).isEqualTo(3);
        assertThat(journal.nextDueMillis()).isEqualTo(20);
        assertThat(take(49)).hasSize(1);
        List<OpenJournal.Taken> taken = take(50);
        assertThat(numbers(taken)).containsExactly(1L);

        journal.dueBy(row(1, 0).key(), 3);
        assertThat(take(50)).isEmpty();
        journal.again(taken.get(0), 2_000, 0, "waiting", false);
        journal.commit();
        assertThat(journal.nextDueMillis()).isEqualTo(1_000);
        reopen();
        assertThat(journal.waiting()).isEqualTo(3);
    }

    @Test
    void rowsOfOneReasonAreDueTogether() throws IOException {
        put(row(1, 1_000));
        put(row(2, 20));
        put(row(3, 1_000));
        journal.again(take(20).get(0), 1_000, 0, "another", false);
        put(row(4, 40));
        assertThat(numbers(take(40))).containsExactly(4L);
        put(row(5, 30));
        journal.allDueBy("nobody's", 50);
        journal.allDueBy("waiting", 50);
        assertThat(journal.nextDueMillis()).as("none is due later than before").isEqualTo(30);
        assertThat(numbers(take(50))).containsExactlyInAnyOrder(1L, 3L, 5L);
        assertThat(journal.nextDueMillis()).isEqualTo(1_000);
    }

    @Test
    void finishingDeletesTheRow() throws IOException {
        put(row(1, 1));
        journal.finish(take(1).get(0));
        journal.commit();
        assertThat(journal.waiting() + journal.processing()).isZero();
        reopen();
        assertThat(journal.waiting()).isZero();
    }

    @Test
    void finishingDeletesOnlyTheVersionThatWasProcessed() throws IOException {
        put(row(1, 1));
        OpenJournal.Taken taken = take(1).get(0);
        put(row(1, 9));
        journal.finish(taken);
        journal.commit();
        assertThat(journal.waiting()).isEqualTo(1);
        reopen();
        assertThat(journal.waiting()).isEqualTo(1);
        OpenJournal.Taken again = take(9).get(0);
        journal.finish(again);
        journal.commit();
        assertThat(journal.waiting() + journal.processing()).isZero();
    }

    @Test
    void aRepairRowNeverMergesWithAnother() throws IOException {
        put(row(1, 1));
        put(row(1, 1, 0, new CommitToken(1, 1, 7)));
        put(row(1, 1, 0, new CommitToken(1, 1, 8)));
        put(row(1, 1, 0, new CommitToken(1, 1, 8)));
        assertThat(journal.waiting()).isEqualTo(3);
        for (OpenJournal.Taken taken : take(1)) {
            if (taken.row().key().lostToken() == null) {
                journal.finish(taken);
            }
        }
        journal.commit();
        reopen();
        assertThat(journal.waiting()).isEqualTo(2);
    }

    @Test
    void aRowThatWaitsAgainKeepsItsEventAndItsNewNumbers() throws IOException {
        put(row(1, 1));
        journal.again(take(1).get(0), 777, 3, "adapter failed", true);
        journal.commit();
        reopen();
        assertThat(take(776)).isEmpty();
        JournalRow row = take(777).get(0).row();
        assertThat(row.attempts()).isEqualTo(3);
        assertThat(row.reason()).isEqualTo("adapter failed");
        assertThat(row.attemptOpen()).isTrue();
        assertThat(row.event()).isEqualTo(event(1));
        assertThat(row.insertedMillis()).isEqualTo(5);
    }

    @Test
    void aRowThatWasBeingProcessedWaitsAfterACrash() throws IOException {
        put(row(1, 1));
        assertThat(take(1)).hasSize(1);
        files.crashLosingAllUnsynced();
        journal = OpenJournal.open(files, DIRECTORY, ++owner);
        assertThat(take(1)).hasSize(1);
    }

    @Test
    void aSweepEndsWhenEveryRowWasTriedOnceMore() throws IOException {
        put(row(1, 1));
        put(row(2, 1_000_000));
        OpenJournal.Taken processing = take(1).get(0);
        Sweep sweep = journal.sweep(50);
        assertThat(sweep.done()).isFalse();
        OpenJournal.Taken waited = take(50).get(0);
        journal.finish(waited);
        journal.again(processing, 1_000_000, 0, "waiting", false);
        journal.commit();
        assertThat(sweep.done()).as("the try that was under way does not count").isFalse();
        OpenJournal.Taken secondTry = take(50).get(0);
        journal.again(secondTry, 1_000_000, 0, "waiting", false);
        journal.commit();
        assertThat(sweep.done()).isTrue();
        assertThat(take(60)).isEmpty();
    }

    @Test
    void garbageIsCleanedAwayAndRowsThatStandSurviveIt() throws IOException {
        put(row(1, 1_000_000));
        for (int i = 2; i < 3_000; i++) {
            put(row(i, i));
            journal.finish(take(i).get(0));
            journal.commit();
        }
        long bytes = files.list(DIRECTORY).stream().mapToLong(FileStore.FileInfo::length).sum();
        assertThat(bytes).isLessThan(60_000);
        reopen();
        assertThat(take(1_000_000))
                .extracting(OpenJournal.Taken::row)
                .containsExactly(row(1, 1_000_000));
    }

    @Test
    void aLateAppendOfAnEarlierOwnerIsNeverRead() throws IOException {
        put(row(1, 1));
        OpenJournal stalled = journal;
        journal = OpenJournal.open(files, DIRECTORY, ++owner);
        stalled.put(row(2, 1));
        stalled.commit();
        reopen();
        assertThat(numbers(take(1))).containsExactly(1L);
        List<JournalRow> read = new ArrayList<>();
        journal.close();
        RetryJournal.forEachRow(files, DIRECTORY, read::add);
        assertThat(read).containsExactly(row(1, 1));
    }

    @Test
    void anOwnerThatStalledBeforeItsClaimDoesNotTakeTheJournalFromOneThatCameLater()
            throws IOException {
        long stalled = ++owner;
        reopen();
        assertThatThrownBy(() -> OpenJournal.open(files, DIRECTORY, stalled))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("comes too late");
        put(row(1, 1));
        reopen();
        assertThat(numbers(take(1))).containsExactly(1L);
    }

    @Test
    void theLastOwnerIsKnownAlsoWhereItDidNotComeToWriteTheManifest() throws IOException {
        assertThat(OpenJournal.lastOwner(files, "/nowhere")).isZero();
        assertThat(OpenJournal.lastOwner(files, DIRECTORY)).isEqualTo(1);
        files.failAt(MemoryFileStore.Operation.PUBLISH, 1);
        assertThatThrownBy(() -> OpenJournal.open(files, DIRECTORY, 7))
                .isInstanceOf(IOException.class);
        assertThat(OpenJournal.lastOwner(files, DIRECTORY)).isEqualTo(7);
    }

    @Test
    void aStalledOwnerThatMustWriteTheManifestIsRefused() throws IOException {
        OpenJournal stalled = journal;
        journal = OpenJournal.open(files, DIRECTORY, ++owner);
        assertThatThrownBy(
                        () -> {
                            for (int i = 0; i < 1_000; i++) {
                                stalled.put(row(i, 1));
                                stalled.commit();
                            }
                        })
                .isInstanceOf(IOException.class)
                .hasMessageContaining("claimed by somebody else");
    }

    private String segment() throws IOException {
        return files.list(DIRECTORY).stream()
                .map(FileStore.FileInfo::path)
                .filter(path -> path.endsWith(".seg"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void whatWasTornBehindTheLastWholeFrameIsCut() throws IOException {
        put(row(1, 1));
        put(row(2, 1));
        journal.close();
        String segment = segment();
        files.truncate(segment, files.content(segment).length - 5);
        journal = OpenJournal.open(files, DIRECTORY, ++owner, 10_000);
        assertThat(take(1)).extracting(OpenJournal.Taken::row).containsExactly(row(1, 1));
        put(row(3, 1));
        reopen();
        assertThat(numbers(take(1))).containsExactly(1L, 3L);
    }

    @Test
    void damageInTheMiddleHalts() throws IOException {
        put(row(1, 1));
        put(row(2, 1));
        put(row(3, 1));
        journal.close();
        String segment = segment();
        files.corrupt(segment, 30);
        assertThatThrownBy(() -> OpenJournal.open(files, DIRECTORY, ++owner))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(segment);
    }

    @Test
    void aManifestOlderThanItsSegmentsHaltsInsteadOfForgettingThem() throws IOException {
        for (int i = 0; i < 200; i++) {
            put(row(i, 1));
        }
        journal.close();
        String manifest =
                files.list(DIRECTORY).stream()
                        .map(FileStore.FileInfo::path)
                        .filter(path -> path.contains("/manifest."))
                        .max(String::compareTo)
                        .orElseThrow();
        files.corrupt(manifest, 40);
        assertThatThrownBy(() -> OpenJournal.open(files, DIRECTORY, ++owner))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("newest version is damaged");
    }

    @Test
    void aSegmentThatAStartCouldNotDeleteAnyMoreDoesNotStopTheNextStart() throws IOException {
        put(row(1, 1));
        journal.close();
        files.syncAll();
        files.failAt(MemoryFileStore.Operation.DELETE, 1);
        assertThatThrownBy(() -> OpenJournal.open(files, DIRECTORY, ++owner))
                .isInstanceOf(IOException.class);
        files.failAt(MemoryFileStore.Operation.DELETE, 2);
        try {
            OpenJournal.open(files, DIRECTORY, ++owner).close();
        } catch (IOException e) {
            // it dies while it tidies up, as the one before did
        }
        journal = OpenJournal.open(files, DIRECTORY, ++owner);
        assertThat(numbers(take(1))).containsExactly(1L);
    }

    @Test
    void nothingIsReadWhereThereIsNoJournal() throws IOException {
        RetryJournal.forEachRow(files, "/nowhere", row -> assertThat(row).isNull());
    }
}
