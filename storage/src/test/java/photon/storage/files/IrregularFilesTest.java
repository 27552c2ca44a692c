package photon.storage.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class IrregularFilesTest {
    private final FileStore files = new HadoopFileStore();
    @TempDir Path directory;

    @Test
    void whatIsNoRegularFileIsNotListedAndToldOnceWithItsKind() throws IOException {
        Files.writeString(directory.resolve("a.log"), "1");
        Files.createSymbolicLink(directory.resolve("linked.log"), directory.resolve("a.log"));
        Files.createDirectory(directory.resolve("directory.log"));
        IrregularFiles.all(directory, ".log");
        try (LoggedWarnings logged = new LoggedWarnings(FileStore.class)) {
            for (int i = 0; i < 2; i++) {
                assertThat(paths(files.glob(directory + "/*.log")))
                        .containsExactly(path("a.log"), path("linked.log"));
            }
            assertThat(files.glob(path("fifo.log"))).isEmpty();
            assertThat(logged.texts())
                    .hasSize(6)
                    .anyMatch(text -> text.startsWith(path("fifo.log") + " is a FIFO"))
                    .anyMatch(text -> text.startsWith(path("socket.log") + " is a socket"))
                    .anyMatch(
                            text -> text.startsWith(path("device.log") + " is a character device"))
                    .anyMatch(text -> text.startsWith(path("dangling.log") + " is a symbolic link"))
                    .anyMatch(text -> text.startsWith(path("circle1.log") + " is a symbolic link"))
                    .anyMatch(text -> text.startsWith(path("circle2.log") + " is a symbolic link"));
        }
    }

    @Test
    void aGlobWithAPatternInADirectoryDoesNotWaitForAFifoEither() throws IOException {
        Files.createDirectory(directory.resolve("d1"));
        Files.writeString(directory.resolve("d1/a.log"), "1");
        IrregularFiles.fifo(directory.resolve("d1/b.log"));
        assertThat(paths(files.glob(directory + "/d?/{a,b}.log")))
                .containsExactly(path("d1/a.log"));
    }

    @Test
    void warningsHaveABound() throws IOException {
        for (int i = 0; i < 1_100; i++) {
            Files.createSymbolicLink(directory.resolve(i + ".log"), Path.of("nothing-there"));
        }
        try (LoggedWarnings logged = new LoggedWarnings(FileStore.class)) {
            assertThat(files.glob(directory + "/*.log")).isEmpty();
            assertThat(files.glob(directory + "/*.log")).isEmpty();
            assertThat(logged.texts()).hasSize(1_001);
        }
    }

    /** As when it took the place of a regular file behind the listing. */
    @Test
    void whatIsNoRegularFileIsNotOpened() throws IOException {
        IrregularFiles.all(directory, "");
        Files.createDirectory(directory.resolve("directory"));
        assertThatThrownBy(() -> files.open(path("fifo")))
                .isInstanceOf(FileSystemException.class)
                .hasMessageContaining("a FIFO");
        for (String name : List.of("socket", "device", "dangling", "circle1", "directory")) {
            assertThatThrownBy(() -> files.open(path(name))).isInstanceOf(IOException.class);
        }
    }

    private String path(String name) {
        return directory + "/" + name;
    }

    private static List<String> paths(List<FileStore.FileInfo> infos) {
        return infos.stream().map(FileStore.FileInfo::path).toList();
    }
}
