package photon.storage.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
                "{.,..}/*.log"
            })
    void aNameIsMatchedAsHadoopMatchesIt(String pattern) throws IOException {
        for (String name : NAMES) {
            Files.createFile(directory.resolve(name));
        }
        Files.createDirectory(directory.resolve("sub.log"));
        String whole = directory + "/" + pattern;
        assertThat(outcome(() -> glob.expand(whole)))
                .isEqualTo(outcome(() -> glob.expandPath(whole)));
    }

    @Test
    void aDirectoryThatIsNotThereHasNothing() throws IOException {
        assertThat(glob.expand(directory + "/none/*.log")).isEmpty();
        Files.createFile(directory.resolve("file"));
        assertThat(glob.expand(directory + "/file/*.log")).isEmpty();
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
