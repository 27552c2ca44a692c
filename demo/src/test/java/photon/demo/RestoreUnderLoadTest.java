package photon.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import photon.cli.Photon;
import photon.cli.Repository;
import photon.core.config.ConfigLoader;
import photon.core.config.PipelineConfig;
import photon.core.time.SystemClock;
import photon.demo.generate.Answer;
import photon.demo.generate.LogStore;
import photon.server.datacenters.DatacenterPaths;
import photon.server.local.LocalBooks;
import photon.server.local.PipelineJson;
import photon.server.roles.WrittenOutput;
import photon.storage.files.FileStore;
import photon.storage.files.HadoopFileStore;
import photon.storage.output.OutputDirectory;
import photon.storage.state.StateHome;
import photon.testbed.process.Fleet;
import photon.testbed.process.JavaCommand;
import photon.testbed.process.ProcessName;

/**
 * Two datacenters and five registry replicas as processes under a live load; the registry loses all
 * its disks, and is brought back from an old backup while the load goes on.
 */
@Tag("crash")
@Timeout(1_800)
class RestoreUnderLoadTest {
    private static final int HEAP_MEGABYTES = 192;
    private static final long EVENTS = 600;
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @TempDir Path root;

    private final FileStore files = new HadoopFileStore();
    private final long began = System.nanoTime();

    private long nowMillis() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
    }

    private static void photon(String... args) {
        assertThat(Photon.run(args)).as(String.join(" ", args)).isZero();
    }

    private static void start(Fleet fleet, List<ProcessName> processes) throws IOException {
        FleetStart.all(
                fleet,
                processes,
                () -> LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200)),
                left -> {});
    }

    private static void delete(Path tree) throws IOException {
        try (Stream<Path> all = Files.walk(tree)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    @Test
    void whatAnOldBackupDoesNotKnowIsNotJoinedAgain() throws Exception {
        DemoLayout layout = new DemoLayout(root, 1, new SecureRandom());
        layout.write(DemoRun.STREAMS);
        try (Fleet fleet =
                new Fleet(
                        process ->
                                JavaCommand.of(
                                        HEAP_MEGABYTES,
                                        layout.temporary(),
                                        layout.arguments(process)),
                        layout.daemonLogs())) {
            start(fleet, layout.processes());
            try (DemoLoad load =
                    DemoLoad.start(
                            layout.logs(),
                            PlainOptions.of(60, 100, 7).load(),
                            LogStore.of(files),
                            new SystemClock(Duration.ofMillis(10)),
                            this::nowMillis)) {
                run(layout, fleet, load);
            }
        }
    }

    private void run(DemoLayout layout, Fleet fleet, DemoLoad load) throws Exception {
        Map<String, String> outputs = new TreeMap<>();
        DemoLayout.DATACENTERS.forEach(dc -> outputs.put(dc, layout.output(dc).toString()));
        OutputWatch output = new OutputWatch(files, outputs, JoinedIdentity.ofNativeFields());
        awaitJoined(output, EVENTS);
        Path backup = root.resolve("backup");
        String config = layout.config(DemoLayout.EAST).toString();
        photon(
                "registry",
                "backup",
                "--config",
                config,
                "--to",
                backup.toString(),
                "--timeout",
                "600s");
        photon("registry", "verify-backup", backup.toString());
        // Much that the backup does not know is published, and a joiner has come since.
        ProcessName joiner = layout.joiners(DemoLayout.WEST).get(0);
        fleet.kill(joiner);
        fleet.start(joiner);
        awaitJoined(output, output.distinct() + EVENTS);

        fleet.kill(layout.replicas());
        delete(layout.states().resolve("registry"));
        start(fleet, layout.replicas());
        photon(
                "registry",
                "restore",
                "--config",
                config,
                "--from",
                backup.toString(),
                "--datacenters",
                "east,west",
                "--timeout",
                "600s");
        load.check();
        // As the procedure wants it; the other one's work directory is sealed under its hands.
        ProcessName stopped = layout.joiners(DemoLayout.EAST).get(0);
        fleet.kill(stopped);
        for (String datacenter : DemoLayout.DATACENTERS) {
            photon(
                    "registry",
                    "report",
                    "--timeout",
                    "600s",
                    "--config",
                    layout.config(datacenter).toString());
        }
        fleet.start(stopped);
        for (String datacenter : DemoLayout.DATACENTERS) {
            readAgain(layout, fleet, datacenter);
        }
        output.poll(nowMillis());
        awaitJoined(output, output.distinct() + EVENTS);
        Answer answer = load.stop();
        awaitJoined(output, answer.joinable());
        fleet.stopAll(Duration.ofMinutes(5));
        output.poll(nowMillis());
        assertThat(output.duplicates()).isZero();
        assertBooks(layout, answer);
    }

    /** The last step of the procedure: the dispatcher reads all its logs once more. */
    private static void readAgain(DemoLayout layout, Fleet fleet, String datacenter)
            throws IOException {
        ProcessName dispatcher =
                layout.daemons(datacenter).stream()
                        .filter(daemon -> daemon.role().equals(ProcessName.DISPATCHER))
                        .findFirst()
                        .orElseThrow();
        assertThat(fleet.stop(dispatcher, PATIENCE)).isTrue();
        Path home = layout.state(datacenter).resolve("dispatcher");
        Path checkpoint =
                Path.of(new StateHome(new HadoopFileStore(), home.toString()).path())
                        .resolve("checkpoint");
        Files.move(checkpoint, layout.state(datacenter).resolve("checkpoint-before"));
        fleet.start(dispatcher);
    }

    private void awaitJoined(OutputWatch output, long events) throws IOException {
        long before = -1;
        long moved = System.nanoTime();
        while (output.distinct() < events) {
            output.poll(nowMillis());
            if (output.distinct() > before) {
                before = output.distinct();
                moved = System.nanoTime();
            } else if (System.nanoTime() - moved > PATIENCE.toNanos()) {
                throw new AssertionError(
                        "Expected %d joined events, but nothing has come for %s: %s"
                                .formatted(events, PATIENCE, output.distinctByDatacenter()));
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
        }
    }

    private void assertBooks(DemoLayout layout, Answer answer) throws IOException {
        PipelineConfig config = ConfigLoader.load(layout.config(DemoLayout.EAST)).pipeline();
        List<DatacenterPaths> paths = new ArrayList<>();
        List<OutputDirectory> outputs = new ArrayList<>();
        for (String datacenter : DemoLayout.DATACENTERS) {
            DatacenterPaths own =
                    new DatacenterPaths(
                            datacenter,
                            layout.state(datacenter),
                            layout.output(datacenter).toString());
            paths.add(own);
            outputs.add(
                    WrittenOutput.open(config, files, own, new SystemClock(Duration.ofMillis(10))));
        }
        PipelineJson.write(config, layout.outputs().toString(), layout.states());
        var books =
                LocalBooks.read(
                                config,
                                files,
                                new SystemClock(Duration.ofMillis(10)),
                                paths,
                                outputs,
                                layout.states(),
                                new LocalBooks.Costs(0, 0, 0, 0, 0, 0, 0),
                                List.of())
                        .toJson();
        assertThat(books.get("duplicates").asLong()).as(books.toString()).isZero();
        assertThat(books.get("unaccounted").asLong()).as(books.toString()).isZero();
        assertThat(books.get("outcomeLost").asLong()).as(books.toString()).isZero();
        assertThat(books.get("joined").asLong()).as(books.toString()).isEqualTo(answer.joinable());
        assertThat(
                        Auditor.audit(
                                Repository.root(),
                                layout.outputs(),
                                layout.states(),
                                root.resolve("audit")))
                .isNotEqualTo(DemoFigures.Audit.DIFFERS);
    }
}
