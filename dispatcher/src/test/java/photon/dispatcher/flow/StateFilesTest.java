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
import photon.dispatcher.StateDirectory;
import photon.storage.files.MemoryFileStore;
import photon.storage.journal.JournalRow;
import photon.storage.journal.RetryJournal;

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
            state.writeCheckpoint(List.of());
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
        first.writeCheckpoint(List.of());
        first.checkOwned();
        StateFiles.open(files, STATE);
        assertThatThrownBy(first::checkOwned)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("owns it no more");
    }
}
