package photon.storage.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LocalGlobTest {
    private static final List<String> NAMES =
            List.of(
                    "a.log",
                    "b.log",
                    "ab.log",
                    ".hidden.log",
                    "a.log.1",
                    "a b.log",
                    "ä.log",
                    "c[1].log",
                    "{x}.log",
                    "a,b",
                    "q?.log",
                    "d-09.log",
                    "d-10.log",
                    "x*y");

    private final LocalGlob glob = new LocalGlob();

    private List<String> expand(String pattern) throws IOException {
        return glob.expand(pattern, name -> false);
    }

    @TempDir Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "*.log",
                "*",
                "?.log",
                "[ab].log",
                "[^a]*.log",
                "{a,b}.log",
                "{a,b}*",
                "d-[0-1][0-9].log",
                "c\\[1\\].log",
                "\\{x\\}.log",
                "q\\?.log",
                "a.log",
                "nothing*",
                "{a.log,b.log}",
                "*[",
                "a{.log,.log.1}",
                "x\\*y",
                "../*/a.*",
                "{.,..}/*.log",
                "*/deep/*.log",
                "sub*/{deep,none}/{a,b}.log",
                "{sub.log/deep,none}/*.log",
                "*/*/*",
                "a.log/*",
                "*/nothing",
                "sub.log/deep/a.log",
                "*/deep"
            })
    void aNameIsMatchedAsHadoopMatchesIt(String pattern) throws IOException {
        for (String name : NAMES) {
            Files.createFile(directory.resolve(name));
        }
        Path deep = Files.createDirectories(directory.resolve("sub.log/deep"));
        Files.createFile(deep.resolve("a.log"));
        String whole = directory + "/" + pattern;
        assertThat(outcome(() -> expand(whole))).isEqualTo(outcome(() -> expandByHadoop(whole)));
    }

    private static List<String> expandByHadoop(String pattern) throws IOException {
        try (RawLocalFileSystem hadoop = new RawLocalFileSystem()) {
            hadoop.initialize(URI.create("file:///"), new Configuration());
            FileStatus[] matches = hadoop.globStatus(new org.apache.hadoop.fs.Path(pattern));
            return matches == null
                    ? List.of()
                    : Stream.of(matches).map(match -> match.getPath().toUri().getPath()).toList();
        }
    }

    /** Hadoop's own expansion fails at it: such a file beside the logs ended a process. */
    @Test
    void aNameWithAColonIsOneLikeOthers() throws IOException {
        String name = "clicks-2025-01-01T10:00:00.log";
        Files.createFile(directory.resolve(name));
        Files.createDirectory(directory.resolve("t:1"));
        String parent = directory.getFileName().toString();
        assertThat(expand(directory + "/../*/*.log"))
                .extracting(path -> Path.of(path).normalize())
                .contains(directory.resolve(name));
        assertThat(expand(directory + "/t*")).containsExactly(directory + "/t:1");
        assertThat(expand(directory.getParent() + "/{" + parent + ",none}/clicks-*"))
                .containsExactly(directory + "/" + name);
    }

    /** It may be one that must not be read, such as lost+found. */
    @Test
    void aDirectoryThatIsLeftOutIsNotLookedInto() throws IOException {
        for (String name : List.of("a", "lost+found")) {
            Files.createFile(Files.createDirectory(directory.resolve(name)).resolve("x.log"));
        }
        assertThat(glob.expand(directory + "/*/x.log", "lost+found"::equals))
                .containsExactly(directory + "/a/x.log");
    }

    @Test
    void aDirectoryThatIsNotThereHasNothing() throws IOException {
        assertThat(expand(directory + "/none/*.log")).isEmpty();
        Files.createFile(directory.resolve("file"));
        assertThat(expand(directory + "/file/*.log")).isEmpty();
    }

    private interface Listing {
        List<String> list() throws IOException;
    }

    /** What was found, in order, or that it failed. */
    private static List<String> outcome(Listing listing) {
        try {
            return listing.list().stream().sorted().toList();
        } catch (IOException e) {
            return List.of("failed");
        }
    }
}
