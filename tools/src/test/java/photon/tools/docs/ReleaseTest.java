package photon.tools.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import photon.cli.Repository;

/**
 * What {@code deploy/release} refuses, and what it makes of a repository whose builds and tests are
 * stand-ins.
 */
@EnabledOnOs(OS.LINUX)
class ReleaseTest {
    private static final int SECONDS_MAX = 300;

    private static final String CHANGES =
            """
            # Changelog

            ## Unreleased

            - Not for now.

            ## 1.2.0 - 2024-12-01

            - Photon can be released.

            ## 1.1.0 - 2024-02-30

            - A day that does not exist.

            ## 1.0.0

            - Without its day.

            ## 0.10.0 - 2999-01-01

            - Not yet.

            ## 0.9.0 - 2024-01-01
            """;

    private static final String PARENT =
            """
            <project>
              <artifactId>photon-parent</artifactId>
              <version>0.1.0-SNAPSHOT</version>
              <packaging>pom</packaging>
              <scm><tag>HEAD</tag></scm>
              <project.build.outputTimestamp>2026-11-01T00:00:00Z</project.build.outputTimestamp>
              <dependency><artifactId>other</artifactId><version>0.1.0-SNAPSHOT</version></dependency>
            </project>
            """;

    private static final String CHILD =
            "<parent><artifactId>photon-parent</artifactId><version>0.1.0-SNAPSHOT</version></parent>\n";

    private static final String COMPOSE = "# Of the images.\nPHOTON_VERSION=0.1.0-snapshot\n";

    /** A build that packs the parent's pom.xml and leaves it where it is told. */
    private static final String BUILD =
            """
            #!/bin/sh
            set -eu
            version=$(sed -n 's|^  <version>\\(.*\\)</version>|\\1|p' pom.xml)
            git show "$1:pom.xml" > "$2/photon-$version.tar.gz"
            git show "$1:core/pom.xml" > "$2/photon-$version-bom.json"
            """;

    @TempDir Path directory;

    private record Ended(int status, String stdout, String stderr) {}

    @BeforeEach
    void makeRepository() throws Exception {
        Path programs = Files.createDirectories(directory.resolve("programs"));
        script(programs.resolve("mvn"), "#!/bin/sh\necho 'Java version: 17.0.1'\n");
        script(programs.resolve("dpkg-deb"), "#!/bin/sh\n");
        script(programs.resolve("jlink"), "#!/bin/sh\n");
        Path deploy = Files.createDirectories(repository().resolve("deploy"));
        script(
                deploy.resolve("release"),
                Files.readString(Repository.root().resolve("deploy/release")));
        script(deploy.resolve("reproduce.sh"), BUILD);
        script(deploy.resolve("test-distribution.sh"), "#!/bin/sh\ntest -s \"$1\"\n");
        script(deploy.resolve("test-deb.sh"), "#!/bin/sh\ntest -s \"$1\"\n");
        script(
                Files.createDirectories(deploy.resolve("image")).resolve("build.py"),
                "#!/bin/sh\ncp deploy/compose/.env \"$2\"\n");
        Files.writeString(
                Files.createDirectories(deploy.resolve("compose")).resolve(".env"), COMPOSE);
        Files.writeString(
                Files.createDirectories(deploy.resolve("kubernetes/overlays/east"))
                        .resolve("kustomization.yaml"),
                "  - {name: photon, newTag: 0.1.0-snapshot}\n");
        Files.writeString(repository().resolve("pom.xml"), PARENT);
        Files.createDirectories(repository().resolve("core"));
        Files.writeString(repository().resolve("core/pom.xml"), CHILD);
        Files.writeString(repository().resolve("CHANGELOG.md"), CHANGES);
        Files.writeString(repository().resolve(".gitignore"), "release/\n");
        git("init", "-q");
        git("config", "user.name", "A Releaser");
        git("config", "user.email", "releaser@example.com");
        commit();
    }

    private Path repository() {
        return directory.resolve("repository");
    }

    private static void script(Path file, String text) throws IOException {
        Files.writeString(file, text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private void commit() throws Exception {
        git("add", "-A");
        git("commit", "-q", "-m", "A state");
    }

    private String git(String... args) throws Exception {
        Ended ended = run(Stream.concat(Stream.of("git"), Stream.of(args)).toArray(String[]::new));
        assertThat(ended.status()).as("%s", ended).isZero();
        return ended.stdout().strip();
    }

    private Ended release(String... args) throws Exception {
        String script = repository().resolve("deploy/release").toString();
        return run(Stream.concat(Stream.of(script), Stream.of(args)).toArray(String[]::new));
    }

    private Ended run(String... command) throws Exception {
        Path out = directory.resolve("out.txt");
        Path err = directory.resolve("err.txt");
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(repository().toFile())
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile());
        builder.environment()
                .merge("PATH", directory.resolve("programs") + ":", (path, own) -> own + path);
        // The person who runs the tests may have settings of their own.
        builder.environment().put("GIT_CONFIG_GLOBAL", "/dev/null");
        builder.environment().keySet().removeIf(name -> name.startsWith("GIT_COMMITTER_"));
        builder.environment().keySet().removeIf(name -> name.startsWith("GIT_AUTHOR_"));
        Process process = builder.start();
        try {
            assertThat(process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Ended(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    private void assertRefused(String told, String... args) throws Exception {
        Ended ended = release(args);
        assertThat(ended.status()).as("%s", ended).isEqualTo(2);
        assertThat(ended.stderr()).startsWith("release: " + told);
        assertThat(ended.stdout()).isEmpty();
        assertThat(repository().resolve("release/1.2.0/SHA256SUMS")).doesNotExist();
    }

    @Test
    void wrongUsageIsRefused() throws Exception {
        assertRefused("VERSION is missing");
        assertRefused("'1.3.0' is one argument too many", "1.2.0", "1.3.0");
        assertRefused("no such option: --quick", "1.2.0", "--quick");
        for (String version : List.of("1.2", "v1.2.0", "1.2.0-SNAPSHOT", "01.2.0", "1.2.0-rc0")) {
            assertRefused("VERSION is '" + version + "': expected three numbers", version);
        }
        assertThat(release("--help").stdout()).contains("--dry-run", "Exit status:");
    }

    @Test
    void aTreeThatDiffersFromItsCommitIsRefused() throws Exception {
        Path file = Files.writeString(repository().resolve("forgotten.txt"), "not added");
        assertRefused("the source tree differs from its commit", "1.2.0");
        assertRefused("the source tree differs from its commit", "1.2.0", "--dry-run");
        Files.delete(file);
        Files.writeString(repository().resolve("pom.xml"), PARENT + "<!-- changed -->");
        assertRefused("the source tree differs from its commit", "1.2.0");
    }

    @Test
    void aVersionWithoutItsChangesAndTheirDayIsRefused() throws Exception {
        assertRefused("CHANGELOG.md has no section '## 2.0.0 - YYYY-MM-DD'", "2.0.0");
        assertRefused("CHANGELOG.md has no section '## 1.2.0-rc1", "1.2.0-rc1");
        assertRefused("CHANGELOG.md has '## 1.0.0': expected", "1.0.0");
        assertRefused("CHANGELOG.md has '## 1.1.0 - 2024-02-30': expected", "1.1.0");
        assertRefused("CHANGELOG.md has '## 0.10.0 - 2999-01-01', a day in the future", "0.10.0");
        assertRefused("the section '## 0.9.0 - 2024-01-01' of CHANGELOG.md is empty", "0.9.0");
    }

    @Test
    void whatIsReleasedAlreadyIsRefused() throws Exception {
        Files.createDirectories(repository().resolve("release/1.2.0"));
        assertRefused("release/1.2.0 exists already", "1.2.0");
        git("tag", "v1.2.0");
        assertRefused("the tag v1.2.0 exists already", "1.2.0");
    }

    @Test
    void anotherJavaIsRefused() throws Exception {
        script(
                directory.resolve("programs/mvn"),
                "#!/bin/sh\necho 'Java version: 21.0.1, vendor: 17.'\n");
        assertRefused("Maven runs with another Java than 17", "1.2.0");
    }

    @Test
    void aDryRunShowsTheNotesAndMakesNothing() throws Exception {
        Ended ended = release("1.2.0", "--dry-run");
        assertThat(ended.status()).as("%s", ended).isZero();
        assertThat(ended.stdout())
                .startsWith(
                        "would release 1.2.0, of 2024-12-01, from commit "
                                + git("rev-parse", "HEAD"))
                .contains("0.1.0-SNAPSHOT", "- Photon can be released.")
                .doesNotContain("Not for now", "does not exist");
        assertThat(repository().resolve("release")).doesNotExist();
    }

    @Test
    void aReleaseHasItsVersionNotesAndChecksumsAndLeavesTheTreeAsItIs() throws Exception {
        String base = git("rev-parse", "HEAD");
        Ended ended = release("1.2.0");
        assertThat(ended.status()).as("%s", ended).isZero();
        Path released = repository().resolve("release/1.2.0");
        assertThat(released.resolve("NOTES.md")).hasContent("\n- Photon can be released.\n\n");
        assertThat(released.resolve("photon-1.2.0.tar.gz"))
                .content()
                .contains(
                        "  <version>1.2.0</version>",
                        "<tag>v1.2.0</tag>",
                        ">2024-12-01T00:00:00Z<",
                        "<artifactId>other</artifactId><version>0.1.0-SNAPSHOT<");
        assertThat(released.resolve("photon-1.2.0-bom.json"))
                .hasContent(CHILD.replace("0.1.0-SNAPSHOT", "1.2.0"));
        Ended sums = run("sh", "-c", "cd release/1.2.0 && sha256sum -c SHA256SUMS");
        assertThat(sums.stdout().lines())
                .containsExactly(
                        "NOTES.md: OK",
                        "photon-1.2.0-bom.json: OK",
                        "photon-1.2.0-image.tar: OK",
                        "photon-1.2.0.tar.gz: OK");
        assertThat(released.resolve("photon-1.2.0-image.tar"))
                .hasContent(COMPOSE.replace("0.1.0-snapshot", "1.2.0"));

        String command =
                ended.stdout()
                        .lines()
                        .filter(line -> line.startsWith("  git tag -s v1.2.0 "))
                        .findFirst()
                        .orElseThrow();
        String commit = command.split(" +")[5];
        assertThat(git("rev-parse", commit + "^")).isEqualTo(base);
        assertThat(git("show", commit + ":deploy/kubernetes/overlays/east/kustomization.yaml"))
                .isEqualTo("- {name: photon, newTag: 1.2.0}");
        assertThat(git("log", "-1", "--format=%an <%ae> %s", commit))
                .isEqualTo("A Releaser <releaser@example.com> Photon 1.2.0");
        assertThat(git("rev-parse", "HEAD")).isEqualTo(base);
        assertThat(git("status", "--porcelain")).isEmpty();
        assertThat(repository().resolve("pom.xml")).hasContent(PARENT);

        run("mv", "release/1.2.0", "../first");
        assertThat(release("1.2.0").stdout()).as("a second run").contains(command);
    }

    @Test
    void whatFailsItsTestsIsNoRelease() throws Exception {
        script(repository().resolve("deploy/test-deb.sh"), "#!/bin/sh\nexit 1\n");
        commit();
        assertThat(release("1.2.0").status()).isEqualTo(1);
        assertThat(repository().resolve("release")).doesNotExist();
    }

    @Test
    void aModuleWhosePomHasItsVersionElsewhereIsFound() throws Exception {
        Files.createDirectories(repository().resolve("odd"));
        Files.writeString(
                repository().resolve("odd/pom.xml"),
                "<version>0.1.0-SNAPSHOT</version>\n<artifactId>photon-parent</artifactId>\n");
        commit();
        Ended ended = release("1.2.0");
        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.stderr())
                .isEqualTo("release: the version of odd/pom.xml is not where it was expected\n");
    }
}
