package photon.dispatcher.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import photon.core.event.LogEvent;
import photon.core.id.EventId;
import photon.dispatcher.state.StateDirectory;
import photon.storage.files.MemoryFileStore;
import photon.storage.journal.JournalRow;
import photon.storage.journal.OpenJournal;
import photon.storage.journal.RetryJournal;
import photon.storage.tail.CheckpointFiles;
import photon.storage.tail.CheckpointHistory;
import photon.storage.tail.FilePosition;
import photon.storage.tail.GoneFiles;

class StateFilesTest {
    private static final StateDirectory STATE = World.STATE;

    private final MemoryFileStore files = new MemoryFileStore();
    private final List<StateFiles> others = new ArrayList<>();

    /** Another dispatcher takes over before the n-th operation from now. */
    private void takeOverBefore(int n) {
        int[] left = {n};
        files.setHook(
                (operation, path) -> {
                    if (--left[0] == 0) {
                        files.setHook((any, at) -> {});
                        others.add(StateFiles.open(files, STATE));
                    }
                });
    }

    private static JournalRow row(int number) {
        ByteString key = ByteString.copyFromUtf8("k");
        LogEvent event =
                new LogEvent(new EventId(number, 2, 3, -1), key, "e", key, "p", ByteString.EMPTY);
        return new JournalRow(
                new JournalRow.Key(event.id(), null), event, 1, 1, 0, 1, "waiting", false);
    }

    /** Whichever of the two has the checkpoint in the end, what it adds to the journal is read. */
    @Test
    void aTakeOverThatStallsAnywhereNeverSealsTheSegmentOfOneThatOwnsTheCheckpoint()
            throws IOException {
        int refused = 0;
        for (int n = 1; n <= 60; n++) {
            files.delete("/state");
            others.clear();
            StateFiles.open(files, STATE).close();
            takeOverBefore(n);
            try {
                others.add(StateFiles.open(files, STATE));
            } catch (IOException e) {
                refused++;
            }
            files.setHook((any, at) -> {});
            List<JournalRow> passed = new ArrayList<>();
            int rows = 0;
            for (StateFiles one : others) {
                JournalRow row = row(++rows);
                if (addRowAndCheckpoint(one, row)) {
                    passed.add(row);
                }
            }
            List<JournalRow> read = new ArrayList<>();
            RetryJournal.forEachRow(files, STATE.journal(), read::add);
            assertThat(passed).isNotEmpty();
            assertThat(read).as("stalled before operation %s", n).containsAll(passed);
        }
        assertThat(refused).isBetween(5, 55);
    }

    /** False: it has lost the checkpoint, so its row counts for nothing. */
    private static boolean addRowAndCheckpoint(StateFiles state, JournalRow row) {
        try {
            state.journal().put(row);
            state.journal().commit();
            state.writeCheckpoint(new CheckpointFiles.Change(List.of(), null, GoneFiles.NONE));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void aCheckpointThatWasRemovedDoesNotMakeTheJournalsOwnerComeTooLate() throws IOException {
        StateFiles.open(files, STATE).close();
        StateFiles first = StateFiles.open(files, STATE);
        first.journal().put(row(1));
        first.journal().commit();
        first.close();
        files.delete(STATE.checkpoint());
        try (StateFiles next = StateFiles.open(files, STATE)) {
            assertThat(next.journal().waiting()).isEqualTo(1);
        }
    }

    @Test
    void whoHasLostTheCheckpointIsToldSo() throws IOException {
        StateFiles first = StateFiles.open(files, STATE);
        first.checkOwned();
        first.writeCheckpoint(new CheckpointFiles.Change(List.of(), null, GoneFiles.NONE));
        first.checkOwned();
        StateFiles.open(files, STATE);
        assertThatThrownBy(first::checkOwned)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("owns it no more");
    }

    /** The same by numbers that a lease has given out: the zombie wakes at any operation. */
    @Test
    void aZombieThatWakesAfterATakeOverByNumberLosesNothingAndWritesNothing() throws IOException {
        for (int n = 1; n <= 60; n++) {
            files.delete("/state");
            StateFiles zombie = StateFiles.openAs(1, files, STATE);
            assertThat(addRowAndCheckpoint(zombie, row(1))).isTrue();
            StateFiles[] next = new StateFiles[1];
            int[] left = {n};
            files.setHook(
                    (operation, path) -> {
                        if (--left[0] == 0) {
                            files.setHook((any, at) -> {});
                            next[0] = StateFiles.openAs(2, files, STATE);
                        }
                    });
            boolean passed = addRowAndCheckpoint(zombie, row(2));
            files.setHook((any, at) -> {});
            if (next[0] == null) {
                next[0] = StateFiles.openAs(2, files, STATE);
            }
            assertThat(addRowAndCheckpoint(zombie, row(3))).as("after it, %s", n).isFalse();
            assertThatThrownBy(zombie::checkOwned).isInstanceOf(IOException.class);
            assertThat(addRowAndCheckpoint(next[0], row(4))).isTrue();
            List<JournalRow> read = new ArrayList<>();
            RetryJournal.forEachRow(files, STATE.journal(), read::add);
            assertThat(read).as("taken over before operation %s", n).contains(row(1), row(4));
            assertThat(read).doesNotContain(row(3));
            if (passed) {
                assertThat(read).as("passed before operation %s", n).contains(row(2));
            }
        }
    }

    /** It passes an event in the midst of the take-over, which may fail: then the next comes. */
    @Test
    void anOwnerThatWorksOnDuringATakeOverLosesNothing() throws IOException {
        int passedSome = 0;
        for (int n = 1; n <= 60; n++) {
            files.delete("/state");
            StateFiles before = StateFiles.openAs(1, files, STATE);
            int[] left = {n};
            boolean[] passed = {false};
            files.setHook(
                    (operation, path) -> {
                        if (--left[0] == 0) {
                            files.setHook((any, at) -> {});
                            passed[0] = addRowAndCheckpoint(before, row(1));
                        }
                    });
            try {
                StateFiles.openAs(2, files, STATE);
            } catch (IOException e) {
                assertThat(e).hasMessageMatching(".*(owns it no more|claimed by somebody).*");
            }
            files.setHook((any, at) -> {});
            StateFiles last = StateFiles.openAs(3, files, STATE);
            if (passed[0]) {
                passedSome++;
                assertThat(last.journal().waiting()).as("before operation %s", n).isEqualTo(1);
            }
        }
        assertThat(passedSome).isBetween(3, 57);
    }

    @Test
    void aNumberThatComesLateClaimsNothing() throws IOException {
        StateFiles later = StateFiles.openAs(5, files, STATE);
        for (long late : List.of(4L, 5L)) {
            assertThatThrownBy(() -> StateFiles.openAs(late, files, STATE))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("owner " + late + " comes too late");
        }
        later.checkOwned();
        assertThat(addRowAndCheckpoint(later, row(1))).isTrue();
    }

    /** The one before does not know yet that it is followed, and drops a segment. */
    @Test
    void aSegmentThatGoesWhileTheJournalIsReadIsNoFailure() throws IOException {
        int dropped = 0;
        for (int n = 1; n <= 60; n++) {
            files.delete("/state");
            StateFiles before = StateFiles.openAs(1, files, STATE, 200);
            for (int i = 1; i <= 8; i++) {
                before.journal().put(row(i));
                before.journal().commit();
            }
            int[] left = {n};
            boolean[] went = {false};
            files.setHook(
                    (operation, path) -> {
                        if (--left[0] == 0) {
                            files.setHook((any, at) -> {});
                            went[0] = finishAll(before);
                        }
                    });
            try (StateFiles next = StateFiles.openAs(2, files, STATE, 200)) {
                dropped += went[0] && next.journal().waiting() < 8 ? 1 : 0;
            } catch (IOException e) {
                assertThat(e).as("before operation %s", n).hasMessageContaining("claimed by");
            }
            files.setHook((any, at) -> {});
        }
        assertThat(dropped).isPositive();
    }

    /** False: it was refused. */
    private static boolean finishAll(StateFiles state) {
        try {
            for (OpenJournal.Taken taken : state.journal().takeDue(Long.MAX_VALUE, 100)) {
                state.journal().finish(taken);
                state.journal().commit();
            }
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static List<FilePosition> position(long offset) {
        return List.of(new FilePosition("/logs/a", "key", 4, "ab", offset));
    }

    private static CheckpointFiles.Change moved(long offset) {
        return new CheckpointFiles.Change(position(offset), null, GoneFiles.NONE);
    }

    private List<Long> offsetsNoted() throws IOException {
        return CheckpointHistory.read(files, STATE.checkpoint()).entries().stream()
                .map(entry -> entry.positions().get(0).offset())
                .toList();
    }

    @Test
    void howFarTheFilesWereIsNoted() throws IOException {
        try (StateFiles state = StateFiles.open(files, STATE)) {
            for (int second = 100; second < 150; second += 10) {
                state.writeCheckpoint(moved(second));
                state.noteHistory(position(second), second * 1_000L);
            }
            assertThat(offsetsNoted()).containsExactly(100L, 110L, 120L, 130L, 140L);
            // The clock is set back: what it had written of the time to come is wrong.
            state.noteHistory(position(151), 105_000);
            assertThat(offsetsNoted()).containsExactly(100L, 151L);
            assertThat(state.resume()).isEmpty();
        }
    }

    @Test
    void aHistoryThatCannotBeWrittenStopsNothing() throws IOException {
        try (StateFiles state = StateFiles.open(files, STATE)) {
            files.failAt(MemoryFileStore.Operation.CREATE, 1);
            state.noteHistory(position(1), 100_000);
            assertThat(offsetsNoted()).isEmpty();
            state.writeCheckpoint(moved(2));
            state.checkOwned();
            state.noteHistory(position(2), 110_000);
            assertThat(offsetsNoted()).containsExactly(2L);
        }
    }
}
