package photon.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import photon.dispatcher.state.StateDirectory;
import photon.storage.document.VersionedDocument;
import photon.storage.files.FileStore.FileInfo;
import photon.storage.files.MemoryFileStore;
import photon.storage.state.StatePartitions;
import photon.storage.tail.CheckpointFiles;
import photon.storage.tail.FilePosition;

class OtherPartitionsTest {
    private static final String WRITTEN_ASIDE = "/aside";

    private final MemoryFileStore files = new MemoryFileStore(3);
    private final StatePartitions partitions = new StatePartitions("/state/east", 3);

    private static FilePosition position(String name, int crc) {
        return new FilePosition("/logs/" + name, name, 5, "ab", 5, 7, crc);
    }

    private String checkpoint(int partition) throws IOException {
        String directory = new StateDirectory(partitions.directory(partition)).checkpoint();
        files.createDirectories(directory);
        return directory;
    }

    private void write(String directory, FilePosition position) throws IOException {
        CheckpointFiles.Change change =
                new CheckpointFiles.Change(
                        List.of(position), null, photon.storage.tail.GoneFiles.NONE);
        byte[] content = new CheckpointFiles(files, directory).write(1, change);
        assertThat(
                        new VersionedDocument(files, directory, CheckpointFiles.DOCUMENT)
                                .write(0, content))
                .isTrue();
    }

    @Test
    void positionsOfAllOthersAreReadAndNotItsOwn() throws IOException {
        write(checkpoint(0), position("a", 1));
        write(checkpoint(1), position("b", 2));
        // Nobody has worked on the third one yet.
        assertThat(new OtherPartitions(files, partitions, 0).read())
                .containsExactly(position("b", 2));
        assertThat(new OtherPartitions(files, partitions, 2).read())
                .containsExactly(position("a", 1), position("b", 2));
    }

    @Test
    void aPowerCutTakesNothingBackThatWasRead() throws IOException {
        files.createDirectories(WRITTEN_ASIDE);
        write(WRITTEN_ASIDE, position("a", 1));
        String directory = checkpoint(0);
        files.syncDirectory(directory);
        for (FileInfo file : files.list(WRITTEN_ASIDE)) {
            String name = file.path().substring(WRITTEN_ASIDE.length());
            files.rename(file.path(), directory + name);
        }
        assertThat(CheckpointFiles.read(files.durableCopy(), directory)).isEmpty();
        assertThat(new OtherPartitions(files, partitions, 1).read())
                .containsExactly(position("a", 1));
        assertThat(CheckpointFiles.read(files.durableCopy(), directory)).isPresent();
    }
}
