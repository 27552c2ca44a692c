package photon.verifier.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import photon.storage.document.VersionedDocument;
import photon.storage.files.MemoryFileStore;
import photon.storage.state.StateHome;
import photon.storage.state.StatePartitions;
import photon.storage.tail.Checkpoint;
import photon.storage.tail.CheckpointFiles;
import photon.storage.tail.CheckpointHistory;
import photon.storage.tail.FilePosition;
import photon.storage.tail.GoneFiles;
import photon.storage.tail.ResetNotes;

/** How far a dispatcher has read whose state is divided. */
final class DividedStateTest {
    private static final String HOME = "/state/dispatcher";
    private static final UUID STATE = new UUID(7, 7);

    private final MemoryFileStore files = new MemoryFileStore();
    private final DispatcherCheckpoint checkpoint = DispatcherCheckpoint.ofHome(files, HOME);

    @BeforeEach
    void aStateOfTwoPartitions() throws IOException {
        new StateHome(files, HOME)
                .create(
                        STATE,
                        new UUID(1, 2),
                        "east",
                        path -> new StatePartitions(path, 2).make(files));
    }

    private String directory(int partition) throws IOException {
        String directory = HOME + "/" + STATE + "/partition-" + partition + "/checkpoint";
        files.createDirectories(directory);
        return directory;
    }

    private static FilePosition position(int file) {
        return new FilePosition("/logs/" + file, "1:" + file, 5, "aa", 100 + file);
    }

    private void written(int partition, GoneFiles gone) throws IOException {
        Checkpoint content = new Checkpoint(1, List.of(position(partition)), gone);
        new VersionedDocument(files, directory(partition), CheckpointFiles.DOCUMENT)
                .write(0, CheckpointFiles.content(content));
    }

    @Test
    void theCheckpointNamesTheFilesOfAllPartitions() throws IOException {
        written(0, new GoneFiles(2, "/logs/old", 1_000));
        written(1, new GoneFiles(3, "/logs/young", 2_000));
        Checkpoint read = checkpoint.read(STATE).orElseThrow();
        assertThat(read.positions()).containsExactly(position(0), position(1));
        assertThat(read.gone()).isEqualTo(new GoneFiles(5, "/logs/young", 2_000));
    }

    /** What was read before a reset may be in the hands of a joiner that has died. */
    @Test
    void aFileThatWasResetCountsAsReadAsFarAsItWasBefore() throws IOException {
        written(0, GoneFiles.NONE);
        written(1, GoneFiles.NONE);
        FilePosition before = new FilePosition("/logs/0", "1:0", 5, "aa", 5_000);
        FilePosition passedSince = new FilePosition("/logs/1", "1:1", 5, "aa", 101);
        FilePosition away = new FilePosition("/logs/2", "1:2", 5, "aa", 7);
        ResetNotes.Note note = new ResetNotes.Note(1, "ops", "earliest", "", 2, 0);
        ResetNotes.add(files, directory(0), note, List.of(before), List.of(before, away));
        ResetNotes.add(files, directory(1), note, List.of(passedSince), List.of(passedSince));
        assertThat(checkpoint.read(STATE).orElseThrow().positions())
                .containsExactly(position(0), before, away, position(1));
    }

    @Test
    void withoutTheCheckpointOfOnePartitionNothingIsKnown() throws IOException {
        written(0, GoneFiles.NONE);
        assertThat(checkpoint.read(STATE)).isEmpty();
        files.delete(directory(0));
        written(1, GoneFiles.NONE);
        assertThat(checkpoint.read(STATE)).isEmpty();
    }

    @Test
    void thatOfAnotherStateIsNotRead() throws IOException {
        written(0, GoneFiles.NONE);
        written(1, GoneFiles.NONE);
        assertThat(checkpoint.read(new UUID(8, 8))).isEmpty();
    }

    @Test
    void eachPartitionHasAHistory() throws IOException {
        CheckpointHistory.Entry entry = new CheckpointHistory.Entry(20_000, List.of(position(1)));
        CheckpointHistory.add(files, directory(1), entry);
        assertThat(CheckpointTimes.ofHome(files, HOME).read())
                .extracting(CheckpointHistory::entries)
                .containsExactly(List.of(), List.of(entry));
    }

    @Test
    void whereNoStateIsThereIsNoHistory() throws IOException {
        assertThat(CheckpointTimes.ofHome(files, "/nowhere").read())
                .extracting(CheckpointHistory::entries)
                .containsExactly(List.of());
    }
}
