package photon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Command;

/** The launcher in a source tree, with a Maven and a Java that only say that they were called. */
class LauncherTest {
    private static final String BUILDS =
            """
            #!/bin/sh
            echo '[INFO] Scanning for projects...'
            echo '[INFO] Building Photon 0.1.0-SNAPSHOT                                  [1/2]'
            echo '[INFO] Building Photon wire contracts 0.1.0-SNAPSHOT                   [2/2]'
            """;
    private static final int SECONDS_MAX = 300;

    @TempDir Path directory;
    private Path tree;

    private record Ended(int status, List<String> stdout, List<String> stderr) {}

    @BeforeEach
    void makeTree() throws IOException {
        tree = Files.createDirectories(directory.resolve("tree"));
        Files.createDirectories(tree.resolve("core/src/main"));
        Files.writeString(tree.resolve("pom.xml"), "");
        Files.writeString(tree.resolve("core/pom.xml"), "");
        Files.copy(Repository.root().resolve("photon"), tree.resolve("photon"));
        program(
                "java",
                """
                #!/bin/sh
                case "$1" in
                  -version) echo 'openjdk version "17.0.9" 2023-10-17' >&2 ;;
                  *) for last; do :; done; echo "java: $last" ;;
                esac
                """);
        program("mvn", BUILDS);
    }

    private void program(String name, String text) throws IOException {
        Path file = Files.createDirectories(directory.resolve("bin")).resolve(name);
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Ended launch(String... args) throws Exception {
        Path out = directory.resolve("out");
        Path err = directory.resolve("err");
        ProcessBuilder builder =
                new ProcessBuilder("sh", tree.resolve("photon").toString())
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile());
        builder.command().addAll(List.of(args));
        builder.environment().remove("JAVA_HOME");
        builder.environment()
                .merge("PATH", directory.resolve("bin") + ":", (path, own) -> own + path);
        Process process = builder.start();
        try {
            assertThat(process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Ended(process.exitValue(), Files.readAllLines(out), Files.readAllLines(err));
    }

    @Test
    void theFirstStartSaysWhyItBuildsAndNamesEachModule() throws Exception {
        Ended ended = launch("demo", "--json");
        assertThat(ended.status()).as("%s", ended).isZero();
        assertThat(ended.stdout()).as("the result's alone").containsExactly("java: --json");
        assertThat(ended.stderr().get(0))
                .startsWith("photon: building, since this source tree has no build yet. ");
        assertThat(ended.stderr())
                .containsSubsequence(
                        "photon:   module 1 of 2: Photon",
                        "photon:   module 2 of 2: Photon wire contracts");
        assertThat(ended.stderr())
                .anySatisfy(line -> assertThat(line).matches("photon: built in [0-9]+ s"))
                .allSatisfy(line -> assertThat(line).startsWith("photon: "));
    }

    /** A daemon, or a command of an operator, loads no simulator and no test bed. */
    @Test
    void theToolsAreOnTheClassPathOfTheirOwnVerbsAlone() throws Exception {
        program(
                "java",
                """
                #!/bin/sh
                case "$1" in
                  -version) echo 'openjdk version "17.0.9" 2023-10-17' >&2 ;;
                  *) case "$*" in *photon-tools-*) echo tools ;; *) echo none ;; esac ;;
                esac
                """);
        program(
                "mvn",
                BUILDS
                        + "mkdir -p cli/target tools/target\n"
                        + "touch cli/target/photon-cli-1.jar tools/target/photon-tools-1.jar\n");
        launch("demo");
        for (Class<?> verb : Photon.class.getAnnotation(Command.class).subcommands()) {
            String name = verb.getAnnotation(Command.class).name();
            assertThat(launch(name, "status").stdout()).as(name).containsExactly("none");
        }
        for (String name : List.of("demo", "bench", "chaos", "simulate", "certs", "help", "oops")) {
            assertThat(launch(name).stdout()).as(name).containsExactly("tools");
        }
    }

    @Test
    void aSecondStartBuildsOnlyWhatHasChangedAndNamesIt() throws Exception {
        launch("demo");
        assertThat(launch("demo").stderr()).isEmpty();
        Path changed = Files.writeString(tree.resolve("core/src/main/New.java"), "");
        Files.setLastModifiedTime(changed, FileTime.from(Instant.now().plusSeconds(60)));
        Files.setLastModifiedTime(tree.resolve("core/src/main"), FileTime.fromMillis(0));
        assertThat(launch("demo").stderr().get(0))
                .startsWith(
                        "photon: building, since core/src/main/New.java has changed since the last build. ");
    }

    @Test
    void aBuildThatFailsShowsWhatMavenSaidAndIsNotTakenForABuild() throws Exception {
        program("mvn", BUILDS + "echo '[ERROR] no such library'\nexit 3\n");
        for (int i = 0; i < 2; i++) {
            Ended ended = launch("demo");
            assertThat(ended.status()).isEqualTo(1);
            assertThat(ended.stdout()).isEmpty();
            assertThat(ended.stderr())
                    .contains("[ERROR] no such library")
                    .last()
                    .asString()
                    .matches(
                            "photon: the build failed after [0-9]+ s; the whole output is in .*/cli/target/launcher.log");
        }
    }
}
