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
import photon.storage.files.FileStore;
import photon.storage.files.Hdfs;
import photon.storage.journal.JournalRow;
import photon.storage.journal.RetryJournal;
import photon.storage.tail.CheckpointFiles;
import photon.storage.tail.FilePosition;
import photon.storage.tail.GoneFiles;

/** A dispatcher's state on HDFS, and who takes it over. */
class HdfsStateTest {
    private final FileStore files = Hdfs.files();
    private final StateDirectory state =
            new StateDirectory(Hdfs.newDirectory() + "/shared/east/dispatcher/one");

    private static JournalRow row(int number) {
        ByteString key = ByteString.copyFromUtf8("k");
        LogEvent event =
                new LogEvent(new EventId(number, 2, 3, -1), key, "e", key, "p", ByteString.EMPTY);
        return new JournalRow(
                new JournalRow.Key(event.id(), null), event, 1, 1, 0, 1, "waiting", false);
    }

    private static CheckpointFiles.Change moved(long offset) {
        List<FilePosition> positions = List.of(new FilePosition("/logs/a", "key", 4, "ab", offset));
        return new CheckpointFiles.Change(positions, null, GoneFiles.NONE);
    }

    private List<JournalRow> rows() throws IOException {
        List<JournalRow> rows = new ArrayList<>();
        RetryJournal.forEachRow(files, state.journal(), rows::add);
        return rows;
    }

    @Test
    void whatOneHasWrittenTheNextGoesOnFrom() throws IOException {
        try (StateFiles first = StateFiles.openAs(1, files, state)) {
            first.journal().put(row(1));
            first.journal().commit();
            first.writeCheckpoint(moved(10));
            first.checkOwned();
        }
        try (StateFiles second = StateFiles.openAs(2, files, state)) {
            assertThat(second.resume()).extracting(FilePosition::offset).containsExactly(10L);
            assertThat(second.journal().waiting()).isEqualTo(1);
        }
    }

    /** Its segment is open: HDFS itself refuses what it writes on. */
    @Test
    void aZombieLosesNothingAndWritesNothing() throws IOException {
        StateFiles zombie = StateFiles.openAs(1, files, state);
        zombie.journal().put(row(1));
        zombie.journal().commit();
        zombie.writeCheckpoint(moved(10));
        StateFiles next = StateFiles.openAs(2, files, state);
        assertThat(next.journal().waiting()).isEqualTo(1);
        zombie.journal().put(row(2));
        assertThatThrownBy(() -> zombie.journal().commit()).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> zombie.writeCheckpoint(moved(20)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("owns it no more");
        assertThatThrownBy(zombie::checkOwned).isInstanceOf(IOException.class);
        next.journal().put(row(3));
        next.journal().commit();
        next.writeCheckpoint(moved(30));
        next.close();
        assertThat(rows()).containsExactlyInAnyOrder(row(1), row(3));
        assertThatThrownBy(() -> StateFiles.openAs(1, files, state))
                .hasMessageContaining("comes too late");
    }
}
