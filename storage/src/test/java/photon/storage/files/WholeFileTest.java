package photon.storage.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import photon.storage.files.FileStore.AppendFile;
import photon.storage.files.MemoryFileStore.Operation;

class WholeFileTest {
    private static final String DIRECTORY = "/state";
    private static final byte[] CONTENT = "content".getBytes(UTF_8);

    private final MemoryFileStore files = new MemoryFileStore();

    @BeforeEach
    void makeDirectory() throws IOException {
        files.createDirectories(DIRECTORY);
        files.syncDirectory("/");
    }

    @Test
    void isThereAfterACrash() throws IOException {
        assertThat(WholeFile.publishIn(files, DIRECTORY, "name", CONTENT)).isTrue();
        files.syncDirectory(DIRECTORY);
        files.crashLosingAllUnsynced();
        assertThat(WholeFile.read(files, DIRECTORY + "/name")).isEqualTo(CONTENT);
        assertThat(files.list(DIRECTORY)).hasSize(1);
    }

    @Test
    void neverReplacesAndLeavesNothingBehindThen() throws IOException {
        WholeFile.publishIn(files, DIRECTORY, "name", CONTENT);
        assertThat(WholeFile.publishIn(files, DIRECTORY, "name", new byte[3])).isFalse();
        assertThat(WholeFile.read(files, DIRECTORY + "/name")).isEqualTo(CONTENT);
        assertThat(files.list(DIRECTORY)).hasSize(1);
    }

    @Test
    void whatACrashLeftAsideIsNotInTheWay() throws IOException {
        try (AppendFile half = files.create(DIRECTORY + "/_name.aside-0")) {
            half.write(CONTENT, 0, 2);
        }
        assertThat(WholeFile.publishIn(files, DIRECTORY, "name", CONTENT)).isTrue();
        assertThat(WholeFile.read(files, DIRECTORY + "/name")).isEqualTo(CONTENT);
    }

    /** A process that is started again every two seconds would use up all names otherwise. */
    @ParameterizedTest
    @EnumSource(names = {"WRITE", "SYNC", "CLOSE", "PUBLISH"})
    void aFailureLeavesNothingBehind(Operation failing) throws IOException {
        files.setHook(
                (operation, path) -> {
                    if (operation == failing) {
                        throw new IOException("no space left on device");
                    }
                });
        assertThatThrownBy(() -> WholeFile.publishIn(files, DIRECTORY, "name", CONTENT))
                .hasMessageContaining("no space left");
        files.setHook((operation, path) -> {});
        assertThat(files.list(DIRECTORY)).isEmpty();
        assertThat(WholeFile.publishIn(files, DIRECTORY, "name", CONTENT)).isTrue();
    }
}
