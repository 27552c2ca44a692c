package photon.storage.output;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static photon.storage.output.OutputFixture.DIRECTORY;
import static photon.storage.output.OutputFixture.EAST;
import static photon.storage.output.OutputFixture.open;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import photon.storage.files.FileStore.FileInfo;
import photon.storage.files.MemoryFileStore;

/** Work directories of incarnations that find out that their output takes no bytes. */
final class UnusedWorkDirectoryTest {
    private static final String WORK = DIRECTORY + "/_work/3-17";

    private final MemoryFileStore files = new MemoryFileStore(1);

    /** As on HDFS whose quota of space is used up: names can be made, and nothing be written. */
    @Test
    void anIncarnationThatCouldWriteNothingIsToldBeforeItTakesAnId() throws IOException {
        OutputDirectory output = open(files);
        files.setHook(
                (operation, path) -> {
                    if (operation == MemoryFileStore.Operation.WRITE) {
                        throw new IOException("The quota is exceeded");
                    }
                });
        assertThatThrownBy(() -> output.createWorkDirectory(EAST))
                .hasMessage("The quota is exceeded");
        files.setHook((operation, path) -> {});
        assertThat(files.stat(WORK)).as("nothing is left").isNull();
        assertThat(output.incarnations()).isEmpty();
        assertThat(output.manifests(EAST)).isEmpty();
        output.seal(EAST);
        assertThat(output.isSealed(EAST)).isTrue();
        assertThat(output.manifests(EAST)).isEmpty();
    }

    @Test
    void anIncarnationThatIsSealedWhileItCannotWriteLeavesItsTombstone() throws IOException {
        OutputDirectory output = open(files);
        files.setHook(
                (operation, path) -> {
                    if (operation == MemoryFileStore.Operation.WRITE) {
                        files.setHook((later, of) -> {});
                        output.seal(EAST);
                        throw new IOException("The quota is exceeded");
                    }
                });
        assertThatThrownBy(() -> output.createWorkDirectory(EAST))
                .hasMessage("The quota is exceeded");
        FileInfo tombstone = requireNonNull(files.stat(WORK));
        assertThat(tombstone.directory()).isFalse();
    }
}
