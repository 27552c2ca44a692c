package photon.tools.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import photon.adapter.Adapter;
import photon.cli.PythonWithGrpc;
import photon.cli.Repository;
import photon.cli.TestLauncher;
import photon.tools.docs.MarkdownPage.Block;

/**
 * What a reader types is what works: every {@code sh} block of these pages is run, in order, in one
 * directory for each page, and the {@code text} or {@code json} block behind it must be what it
 * prints. {@code ...} stands for anything within a line, and alone in a line for any lines.
 */
class CommandsTest {
    private static final int SECONDS_MAX = 1_800;
    private static final int TRIES_MAX = 120;

    /** Photon's own words: another test has a port of a run before. */
    private static final String PORT_TAKEN =
            "in use, but the registry of this state directory needs it";

    /** In the reader's folder is a copy of the example, and {@code python3} has gRPC. */
    @Test
    @Tag("slow")
    @Execution(ExecutionMode.CONCURRENT)
    void commandsInPythonDoWhatThePageShows(@TempDir Path directory) throws Exception {
        Optional<String> python = PythonWithGrpc.find();
        assumeTrue(python.isPresent(), PythonWithGrpc.MISSING);
        copy(PythonWithGrpc.example(), directory);
        Path bin = Files.createDirectory(directory.resolve("bin")).resolve("python3");
        Files.writeString(bin, "#!/bin/sh\nexec '%s' \"$@\"\n".formatted(python.get()));
        assertThat(bin.toFile().setExecutable(true)).isTrue();
        commandsDoWhatThePageShows("docs/adapters/python.md", directory);
    }

    /** In the reader's folder is a copy of the example, with gRPC as {@code npm} installs it. */
    @Test
    @Tag("slow")
    @Execution(ExecutionMode.CONCURRENT)
    void commandsInJavaScriptDoWhatThePageShows(@TempDir Path directory) throws Exception {
        String modules = System.getenv("PHOTON_TEST_NODE_MODULES");
        assumeTrue(
                modules != null,
                "PHOTON_TEST_NODE_MODULES does not say where npm has installed docs/examples/adapters/node");
        copy(Repository.root().resolve("docs/examples/adapters/node"), directory);
        copy(Repository.root().resolve("proto/src/main/proto/photon/adapter/v1"), directory);
        Files.createSymbolicLink(directory.resolve("node_modules"), Path.of(modules));
        commandsDoWhatThePageShows("docs/adapters/node.md", directory);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.copy(file, to.resolve(file.getFileName()));
            }
        }
    }

    /** Its script is that of the checkout, with ports that no other test uses. */
    @Test
    @Tag("crash")
    void commandsOfALocalClusterDoWhatThePageShows(@TempDir Path directory) throws Exception {
        Path script = Files.createDirectory(directory.resolve("deploy")).resolve("local-cluster");
        int basePort = LocalClusterTest.basePort();
        Files.writeString(
                script,
                """
                #!/bin/sh
                [ "$1" != start ] || set -- "$@" --base-port %d
                PHOTON="$PWD/photon" exec '%s' "$@"
                """
                        .formatted(basePort, LocalClusterTest.SCRIPT));
        assertThat(script.toFile().setExecutable(true)).isTrue();
        copy(
                Repository.root().resolve("docs/audit"),
                Files.createDirectories(directory.resolve("docs/audit")));
        try {
            commandsDoWhatThePageShows("docs/local-cluster.md", directory);
        } finally {
            LocalClusterTest.endAll(directory);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"docs/chains.md", "docs/adapters/java.md"})
    @Tag("slow")
    @Execution(ExecutionMode.CONCURRENT)
    void commandsOfAPageForSomeDoWhatItShows(String name, @TempDir Path directory)
            throws Exception {
        commandsDoWhatThePageShows(name, directory);
    }

    /** Pages that every reader begins with. */
    @ParameterizedTest
    @ValueSource(strings = {"README.md", "docs/getting-started.md"})
    @Execution(ExecutionMode.CONCURRENT)
    void commandsDoWhatThePageShows(String name, @TempDir Path directory) throws Exception {
        MarkdownPage page = MarkdownPage.read(Repository.root().resolve(name));
        TestLauncher.write(directory.resolve("photon"));
        adapterApi(Files.createDirectory(directory.resolve("lib")));
        List<Block> commands =
                page.blocks().stream().filter(block -> block.language().equals("sh")).toList();
        assertThat(commands).as("blocks of commands in %s", name).isNotEmpty();
        int outputs = 0;
        for (Block block : commands) {
            Optional<Pattern> shown = page.outputOf(block).map(CommandsTest::patternOf);
            Ran ran = run(directory, block, name);
            for (int i = 0; i < TRIES_MAX && isToBeRunAgain(block, ran, shown); i++) {
                LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
                ran = run(directory, block, name);
            }
            assertThat(ran.status())
                    .as("exit status of %s:%d\n%s", name, block.line(), ran.printed())
                    .isZero();
            if (shown.isPresent()) {
                assertThat(ran.printed())
                        .as("what %s:%d prints", name, block.line())
                        .matches(shown.get());
                outputs++;
            }
        }
        assertThat(outputs).as("outputs shown in %s", name).isGreaterThan(1);
    }

    private record Ran(int status, String printed) {
        boolean isAs(Optional<Pattern> shown) {
            return status == 0
                    && shown.map(pattern -> pattern.matcher(printed).matches()).orElse(true);
        }
    }

    /**
     * A look may meet an election, or a server that is slow to answer: a reader looks again, too.
     */
    private static boolean isToBeRunAgain(Block block, Ran ran, Optional<Pattern> shown) {
        boolean looks = block.text().strip().endsWith("./photon registry status");
        return (looks && !ran.isAs(shown))
                || (ran.status() != 0 && ran.printed().contains(PORT_TAKEN));
    }

    private static Ran run(Path directory, Block block, String name) throws Exception {
        Path output = directory.resolve("printed.txt");
        ProcessBuilder builder =
                new ProcessBuilder("sh", "-eu", "-c", block.text())
                        .directory(directory.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile());
        builder.environment()
                .merge("PATH", "", (path, no) -> directory.resolve("bin") + ":" + path);
        // The machine's troubles while a page runs are not on the page.
        builder.environment().put("PHOTON_LOG", "ERROR");
        Process shell = builder.start();
        try {
            boolean ended = shell.waitFor(SECONDS_MAX, TimeUnit.SECONDS);
            String printed = Files.readString(output);
            assertThat(ended).as("%s:%d ends\n%s", name, block.line(), printed).isTrue();
            return new Ran(shell.exitValue(), printed);
        } finally {
            shell.descendants().forEach(ProcessHandle::destroyForcibly);
            shell.destroyForcibly();
        }
    }

    /** What {@code lib} of a distribution has for the author of an adapter. */
    private static void adapterApi(Path lib) throws Exception {
        Path api =
                Path.of(Adapter.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        Path jar = lib.resolve("photon-adapter-api-test.jar");
        if (Files.isRegularFile(api)) {
            Files.copy(api, jar);
            return;
        }
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out);
                Stream<Path> all = Files.walk(api)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                entries.putNextEntry(new JarEntry(api.relativize(file).toString()));
                Files.copy(file, entries);
                entries.closeEntry();
            }
        }
    }

    private static Pattern patternOf(Block shown) {
        StringBuilder pattern = new StringBuilder();
        for (String line : shown.lines()) {
            if (line.strip().equals("...")) {
                pattern.append("(?:.*\n)*?");
            } else {
                for (String part : line.stripTrailing().split("(?<=\\.{3})|(?=\\.{3})")) {
                    pattern.append(part.equals("...") ? ".*" : Pattern.quote(part));
                }
                pattern.append("[ ]*\n");
            }
        }
        return Pattern.compile(pattern.toString());
    }
}
