package photon.storage.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.storage.files.FileStore.AppendFile;
import photon.storage.files.FileStore.FileInfo;
import photon.storage.files.FileStore.ReadFile;

class HadoopFileStoreTest {
    private final FileStore files = new HadoopFileStore();

    @TempDir Path directory;

    @Test
    void globsGiveFilesInOrderOfPath() throws IOException {
        write("b.log", "2");
        write("a.log", "1");
        write("a.txt", "3");
        Files.createDirectory(directory.resolve("c.log"));
        Files.createDirectory(directory.resolve("sub"));
        write("sub/d.log", "4");
        assertThat(paths(files.glob(directory + "/*.log")))
                .containsExactly(path("a.log"), path("b.log"));
        assertThat(paths(files.glob(directory + "/*/?.log"))).containsExactly(path("sub/d.log"));
        assertThat(paths(files.glob(directory + "/[a-b].{log,txt}"))).hasSize(3);
        assertThat(paths(files.glob(path("a.log")))).containsExactly(path("a.log"));
        assertThat(files.glob(directory + "/none/*")).isEmpty();
        assertThat(files.glob(path("none"))).isEmpty();
        assertThat(paths(files.glob("file://" + path("a.log")))).containsExactly(path("a.log"));
    }

    @Test
    void aFilesKeySurvivesRenameAndGrowth() throws IOException {
        write("a", "1");
        FileInfo before = info("a");
        files.rename(path("a"), path("b"));
        Files.writeString(directory.resolve("b"), "longer");
        assertThat(info("b").key()).isEqualTo(before.key());
        assertThat(info("b").length()).isEqualTo(6);
        assertThat(files.stat(path("a"))).isNull();
        write("a", "1");
        assertThat(info("a").key()).isNotEqualTo(before.key());
    }

    @Test
    void creationIsExclusiveAndMakesNoParents() throws IOException {
        files.create(path("a")).close();
        assertThatThrownBy(() -> files.create(path("a")))
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> files.create(path("none/a")))
                .isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> files.create(path("a/b"))).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> files.createDirectory(path("a")))
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> files.createDirectory(path("none/a")))
                .isInstanceOf(IOException.class);
        files.createDirectories(path("x/y/z"));
        files.createDirectories(path("x/y/z"));
        assertThatThrownBy(() -> files.createDirectory(path("x/y")))
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> files.createDirectories(path("a/b")))
                .isInstanceOf(IOException.class);
    }

    @Test
    void renamesNeverReplace() throws IOException {
        write("a", "a");
        write("b", "b");
        Files.createDirectory(directory.resolve("d"));
        Files.createDirectory(directory.resolve("e"));
        for (String target : List.of("b", "d")) {
            assertThatThrownBy(() -> files.rename(path("a"), path(target)))
                    .isInstanceOf(FileAlreadyExistsException.class);
        }
        for (String target : List.of("b", "e")) {
            assertThatThrownBy(() -> files.rename(path("d"), path(target)))
                    .isInstanceOf(FileAlreadyExistsException.class);
        }
        for (String missing : List.of("none", "none/none")) {
            assertThatThrownBy(() -> files.rename(path(missing), path("f")))
                    .isInstanceOf(NoSuchFileException.class);
        }
        assertThat(directory.resolve("b")).hasContent("b");
        files.rename(path("d"), path("f"));
        assertThat(directory.resolve("f")).isDirectory();
    }

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
    void deletionTakesAllAndForgivesNothingThere() throws IOException {
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
    void whatIsAppendedIsReadByAnOpenReader() throws IOException {
        try (AppendFile out = files.create(path("a"));
                ReadFile in = files.open(path("a"))) {
            byte[] buffer = new byte[10];
            assertThat(in.read(0, buffer, 0, 10)).isEqualTo(-1);
            out.write("hello".getBytes(StandardCharsets.UTF_8), 1, 4);
            out.flush();
            out.sync();
            assertThat(out.position()).isEqualTo(4);
            assertThat(in.length()).isEqualTo(4);
            assertThat(in.read(1, buffer, 0, 10)).isEqualTo(3);
            files.syncDirectory(directory.toString());
        }
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

    @Test
    void missingThingsAreToldAsSuch() throws IOException {
        assertThatThrownBy(() -> files.open(path("none"))).isInstanceOf(NoSuchFileException.class);
        assertThat(files.list(path("none"))).isEmpty();
        write("a", "a");
        assertThat(files.stat(path("a/b"))).isNull();
        assertThat(paths(files.list(directory.toString()))).containsExactly(path("a"));
        files.recover(path("a"));
    }

    private FileInfo info(String name) throws IOException {
        return Objects.requireNonNull(files.stat(path(name)));
    }

    private String path(String name) {
        return directory + "/" + name;
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(directory.resolve(name), text);
    }

    private static List<String> paths(List<FileInfo> infos) {
        return infos.stream().map(FileInfo::path).toList();
    }
}
