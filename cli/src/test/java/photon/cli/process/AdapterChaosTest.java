package photon.cli.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.cli.Photon;
import photon.cli.PythonWithGrpc;

/** Processes of an adapter die and hang while {@code photon local} joins with them. */
@Tag("crash")
class AdapterChaosTest {
    private static final int CLICKS = 50_000;
    private static final int QUERIES = 1_000;
    private static final int BLOWS_MAX = 12;
    private static final String SCRIPT = "ads_clicks.py";

    @TempDir Path directory;

    @BeforeEach
    void logsAndConfig() throws Exception {
        Optional<String> python = PythonWithGrpc.find();
        assumeTrue(python.isPresent(), PythonWithGrpc.MISSING);
        Files.writeString(
                directory.resolve("queries.jsonl"),
                IntStream.range(0, QUERIES)
                        .mapToObj(
                                "{\"query\":\"q%d\",\"at\":1767225600,\"words\":\"w\"}\n"
                                        ::formatted)
                        .collect(Collectors.joining()));
        Files.writeString(
                directory.resolve("clicks.jsonl"),
                IntStream.range(0, CLICKS)
                        .mapToObj(
                                i ->
                                        "{\"click\":\"c%d\",\"at\":1767225601,\"query\":\"q%d\"}\n"
                                                .formatted(i, i % QUERIES))
                        .collect(Collectors.joining()));
        Files.writeString(
                directory.resolve("photon.yaml"),
                """
                pipeline: ads
                datacenters: [east, west]
                retention: unlimited
                primary:
                  paths: [queries.jsonl]
                  format: {type: json-lines}
                  id: {from: [query]}
                  timestamp: {field: at, unit: seconds}
                foreign:
                  paths: [clicks.jsonl]
                  format: {type: json-lines}
                  id: {from: [click]}
                  timestamp: {field: at, unit: seconds}
                  primaryId: {from: [query]}
                adapter:
                  command: ["%s", "%s"]
                  timeout: 3s
                """
                        .formatted(python.orElseThrow(), PythonWithGrpc.example().resolve(SCRIPT)));
    }

    private static List<ProcessHandle> adapters(ProcessHandle of) {
        return of.descendants()
                .filter(ProcessHandle::isAlive)
                .filter(one -> one.info().commandLine().orElse("").contains(SCRIPT))
                .toList();
    }

    /** Of every third click, the query is missing. */
    @Test
    void aLeftJoinAsksItForClicksWithoutAQuery() throws Exception {
        Path script = directory.resolve("left.py");
        Files.writeString(
                script,
                """
                import sys
                sys.path.insert(0, "%s")
                from photon_adapter import emit, serve

                def join(foreign, primary):
                    return emit(b'{"click":"%%s","alone":%%s}' %% (
                        foreign.id.encode(), b"true" if primary is None else b"false"))

                serve("left", "1", lambda options: join, takes_unmatched=True)
                """
                        .formatted(PythonWithGrpc.example()));
        Files.writeString(
                directory.resolve("clicks.jsonl"),
                IntStream.range(0, 300)
                        .mapToObj(
                                i ->
                                        "{\"click\":\"c%d\",\"at\":1767225601,\"query\":\"%s%d\"}\n"
                                                .formatted(i, i % 3 == 0 ? "missing" : "q", i))
                        .collect(Collectors.joining()));
        Path config = directory.resolve("photon.yaml");
        Files.writeString(
                config,
                Files.readString(config)
                                .replace(
                                        PythonWithGrpc.example().resolve(SCRIPT).toString(),
                                        script.toString())
                        + "unmatched: {after: 1m}\n");
        Process photon = photon("--until-idle", "3s");
        try {
            assertThat(photon.waitFor(5, TimeUnit.MINUTES)).as("it ends").isTrue();
            String printed = Files.readString(directory.resolve("printed.txt"));
            assertThat(photon.exitValue()).as(printed).isZero();
            List<String> joined = joined();
            assertThat(joined).as(printed).doesNotHaveDuplicates().hasSize(300);
            assertThat(joined).filteredOn(line -> line.contains("true")).hasSize(100);
            assertThat(joined)
                    .contains("{\"click\":\"c0\",\"alone\":true}")
                    .contains("{\"click\":\"c1\",\"alone\":false}");
        } finally {
            photon.destroyForcibly();
        }
    }

    private Process photon(String... options) throws IOException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-Xmx512m",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Photon.class.getName(),
                                "local",
                                "--config",
                                directory.resolve("photon.yaml").toString()));
        command.addAll(List.of(options));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("printed.txt").toFile())
                .start();
    }

    /** Kills one and stops the next, in turn, until there were enough of it; how many it were. */
    private static int strike(Process photon) throws Exception {
        int blows = 0;
        while (blows < BLOWS_MAX && !photon.waitFor(700, TimeUnit.MILLISECONDS)) {
            List<ProcessHandle> alive = adapters(photon.toHandle());
            if (!alive.isEmpty()) {
                String signal = blows % 2 == 0 ? "-KILL" : "-STOP";
                ProcessHandle hit = alive.get(blows % alive.size());
                new ProcessBuilder("kill", signal, "" + hit.pid()).start().waitFor();
                blows++;
            }
        }
        return blows;
    }

    @Test
    void everyEventIsJoinedOnce() throws Exception {
        Process photon = photon("--until-idle", "3s");
        try {
            assertThat(strike(photon)).as("blows").isGreaterThan(2);
            assertThat(photon.waitFor(5, TimeUnit.MINUTES)).as("it ends").isTrue();
            assertThat(photon.exitValue())
                    .as("the books balance: %s", Files.readString(directory.resolve("printed.txt")))
                    .isZero();
            assertThat(joined()).doesNotHaveDuplicates().hasSize(CLICKS);
        } finally {
            photon.destroyForcibly();
        }
    }

    @Test
    void itsProcessesEndWithAPhotonThatIsKilled() throws Exception {
        Process photon = photon();
        try {
            List<ProcessHandle> adapters = adapters(photon.toHandle());
            for (int i = 0; i < 2_400 && adapters.size() < 2; i++) {
                assertThat(photon.waitFor(100, TimeUnit.MILLISECONDS)).isFalse();
                adapters = adapters(photon.toHandle());
            }
            assertThat(adapters).as("one for each joiner").hasSize(2);
            photon.destroyForcibly();
            for (ProcessHandle adapter : adapters) {
                adapter.onExit().get(1, TimeUnit.MINUTES);
            }
        } finally {
            photon.destroyForcibly();
        }
    }

    private List<String> joined() throws IOException {
        try (Stream<Path> files = Files.walk(directory.resolve("photon-out"))) {
            return files.filter(file -> file.toString().endsWith(".jsonl"))
                    .flatMap(
                            file -> {
                                try {
                                    return Files.readAllLines(file).stream();
                                } catch (IOException e) {
                                    throw new UncheckedIOException(e);
                                }
                            })
                    .toList();
        }
    }
}
