package photon.storage.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.core.error.ConfigException;
import photon.storage.files.FileStore.FileInfo;

class StreamFilesTest {
    private final FileStore files = new HadoopFileStore();

    @TempDir Path directory;

    @Test
    void aNameThatAPatternMatchesIsNoLog() throws IOException {
        make("dt=1/a.log", "dt=1/a.log.tmp", "dt=2/b.log._COPYING_", "dt=2/b.log");
        assertThat(matched("/dt=*/*", "*.tmp", "*._COPYING_"))
                .containsExactly("dt=1/a.log", "dt=2/b.log");
    }

    @Test
    void aDirectoryThatAWildcardFindsMayBeLeftOut() throws IOException {
        make("_temporary/a.log", "dt=1/a.log");
        assertThat(matched("/*/*.log", "_*")).containsExactly("dt=1/a.log");
    }

    @Test
    void aDirectoryThatThePathNamesIsMeant() throws IOException {
        make("_temporary/a.log");
        assertThat(matched("/_temporary/*.log", "_*")).containsExactly("_temporary/a.log");
    }

    @Test
    void whatTwoGlobsMatchIsThereOnce() throws IOException {
        make("a.log", "b.log");
        assertThat(
                        new StreamFiles(
                                        files,
                                        List.of(directory + "/*.log", directory + "/a*"),
                                        List.of())
                                .look(0))
                .hasSize(2);
    }

    @Test
    void aPatternThatIsNoneIsRefusedByName() {
        assertThatThrownBy(() -> new StreamFiles(files, List.of(), List.of("{a")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("input.exclude", "{a");
    }

    private List<String> matched(String glob, String... exclude) throws IOException {
        return new StreamFiles(files, List.of(directory + glob), List.of(exclude))
                .look(0).stream()
                        .map(FileInfo::path)
                        .map(path -> path.substring(directory.toString().length() + 1))
                        .toList();
    }

    private void make(String... paths) throws IOException {
        for (String path : paths) {
            Path file = directory.resolve(path);
            Files.createDirectories(file.getParent());
            Files.writeString(file, "x");
        }
    }
}
