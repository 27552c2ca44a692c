package photon.storage.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.storage.files.FileStore.AppendFile;

/** What only local files have: hard links, symbolic ones, URIs of them. */
class HadoopFileStoreTest {
    private final FileStore files = new HadoopFileStore();

    @TempDir Path directory;

    @Test
    void publicationNeverReplacesAndCanBeRedone() throws IOException {
        write("a", "a");
        write("taken", "t");
        assertThat(files.publish(path("a"), path("taken"))).isFalse();
        assertThat(directory.resolve("a")).exists();
        Files.createLink(directory.resolve("final"), directory.resolve("a")); // a crash in between
        assertThat(files.publish(path("a"), path("final"))).isTrue();
        assertThat(directory.resolve("final")).hasContent("a");
        assertThat(directory.resolve("a")).doesNotExist();
    }

    @Test
    void aLocalFileMayBeNamedByAUri() throws IOException {
        write("a.log", "a");
        for (String uri : new String[] {"file://", "file://localhost", "file:"}) {
            assertThat(files.glob(uri + path("*.log")))
                    .extracting(FileStore.FileInfo::path)
                    .containsExactly(path("a.log"));
        }
    }

    @Test
    void deletionDoesNotFollowLinks() throws IOException {
        files.createDirectories(path("x/y"));
        write("x/y/a", "a");
        write("outside", "o");
        Files.createSymbolicLink(directory.resolve("x/link"), directory.resolve("outside"));
        files.delete(path("x"));
        files.delete(path("x"));
        assertThat(directory.resolve("x")).doesNotExist();
        assertThat(directory.resolve("outside")).exists();
    }

    @Test
    void afterAFailedCallAFileMayOnlyBeClosed() throws IOException {
        AppendFile out = files.create(path("a"));
        out.close();
        assertThatThrownBy(out::sync).isInstanceOf(IOException.class);
        assertThatThrownBy(out::sync).hasMessageContaining("only a close");
        assertThatThrownBy(() -> out.write(new byte[1], 0, 1)).hasMessageContaining("only a close");
        out.close();
    }

    private String path(String name) {
        return directory + "/" + name;
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(directory.resolve(name), text);
    }

    /** Hadoop knows the scheme, and has the client in jars that are not there. */
    @Test
    void aSchemeWhoseClientIsNotThereIsToldByItsName() {
        assertThatThrownBy(() -> new HadoopFileStore().glob("s3a://bucket/logs/clicks-*.log"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the jars of Hadoop's client for s3a are not in lib");
    }
}
