package photon.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.core.error.FailedException;
import photon.core.testing.Await;
import photon.testbed.process.Fleet;
import photon.testbed.process.JavaCommand;
import photon.testbed.process.ProcessName;
import photon.testbed.process.ProcessStatusLine;

/** With event stores, which serve without anybody else. */
class FleetTest {
    static final Duration WITHIN = Duration.ofMinutes(4);

    static final String STREAMS =
            """
            primary:
              paths: ["logs/p-*.jsonl"]
              format: {type: json-lines}
              id: {from: [id]}
              timestamp: {field: at, unit: millis}
            foreign:
              paths: ["logs/f-*.jsonl"]
              format: {type: json-lines}
              id: {from: [id]}
              timestamp: {field: at, unit: millis}
              primaryId: {from: [p]}
            """;

    private static final ProcessName STORE = new ProcessName("east", "eventstore", "");
    private static final ProcessName OTHER = new ProcessName("west", "eventstore", "");

    @TempDir Path directory;
    private DemoLayout layout;
    private Fleet fleet;

    @BeforeEach
    void makeFleet() throws IOException {
        layout = new DemoLayout(directory, 1, new Random());
        layout.write(STREAMS);
        fleet = new Fleet(p -> command(layout, p), layout.daemonLogs());
    }

    @AfterEach
    void killWhatIsLeft() {
        fleet.close();
    }

    static List<String> command(DemoLayout layout, ProcessName process) {
        return JavaCommand.of(96, layout.temporary(), layout.arguments(process));
    }

    private void awaitServing(ProcessName process) throws Exception {
        Await.until(
                WITHIN,
                process.label() + " to serve",
                this::logs,
                () -> {
                    fleet.checkAlive(List.of(process));
                    return fleet.serving(process);
                });
    }

    private String logs() {
        StringBuilder text = new StringBuilder();
        for (ProcessName process : fleet.processes()) {
            try {
                text.append(process.label()).append(": ");
                text.append(Files.readString(fleet.log(process))).append('\n');
            } catch (IOException e) {
                text.append(e);
            }
        }
        return text.toString();
    }

    private static boolean exists(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
    }

    @Test
    void aProcessTellsItsStatusIsKilledAndServesAgain() throws Exception {
        fleet.start(STORE);
        fleet.start(OTHER);
        assertThatThrownBy(() -> fleet.start(STORE)).hasMessageContaining("it is alive");
        awaitServing(STORE);
        awaitServing(OTHER);
        Files.writeString(
                layout.logs().resolve("p-1.jsonl"), "{\"id\":\"a\",\"at\":1760000000000}\n");
        Await.until(WITHIN, "the record in the status", this::logs, () -> primaryEvents() == 1);
        long first = fleet.pid(STORE).orElseThrow();

        fleet.kill(STORE);
        assertThat(fleet.alive(STORE)).isFalse();
        assertThat(fleet.serving(STORE)).isFalse();
        assertThat(exists(first)).isFalse();
        assertThat(fleet.pid(STORE)).isEmpty();
        assertThat(primaryEvents()).as("the last that was heard").isEqualTo(1);
        assertThat(fleet.alive(OTHER)).isTrue();
        assertThatThrownBy(() -> fleet.checkAlive(List.of(OTHER, STORE)))
                .isInstanceOf(FailedException.class)
                .hasMessageContaining("east/eventstore");

        long again = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
        fleet.start(STORE);
        // It may have told one already, if this thread was slow.
        assertThat(fleet.status(STORE).filter(line -> line.atMicros() < again))
                .as("of the life before")
                .isEmpty();
        awaitServing(STORE);
        assertThat(fleet.pid(STORE)).isPresent().isNotEqualTo(first);
        assertThat(fleet.stopAll(WITHIN)).isEmpty();
        assertThat(fleet.alive(STORE)).isFalse();
        assertThat(fleet.alive(OTHER)).isFalse();
    }

    private long primaryEvents() {
        Optional<ProcessStatusLine> line = fleet.status(STORE);
        line.ifPresent(l -> assertThat(l.atMicros()).isGreaterThan(1_600_000_000_000_000L));
        return line.map(l -> l.status().get("primaryEvents").asLong()).orElse(0L);
    }

    @Test
    void aFleetThatFailsHalfWayLeavesNothing() throws Exception {
        ProcessName broken = new ProcessName("east", "registry", "r9");
        fleet =
                new Fleet(
                        p ->
                                p.equals(broken)
                                        ? List.of(directory.resolve("no-such-program").toString())
                                        : command(layout, p),
                        layout.daemonLogs());
        fleet.start(STORE);
        long pid = fleet.pid(STORE).orElseThrow();
        assertThatThrownBy(() -> fleet.start(broken)).isInstanceOf(IOException.class);
        fleet.close();
        assertThat(exists(pid)).isFalse();
        assertThatThrownBy(() -> fleet.start(OTHER)).hasMessageContaining("closed");
        fleet.close();
    }

    @Test
    void aDaemonDoesNotMindThatNobodyReadsItsStatusAndEndsWithItsStdin() throws Exception {
        Path log = directory.resolve("daemon.log");
        Process daemon =
                new ProcessBuilder(command(layout, STORE)).redirectError(log.toFile()).start();
        try {
            daemon.getInputStream().close();
            Await.until(
                    WITHIN,
                    "a word of the closed stdout",
                    () -> "alive: " + daemon.isAlive(),
                    () -> Files.readString(log).contains("stdout is closed"));
            assertThat(daemon.isAlive()).isTrue();
            daemon.getOutputStream().close();
            assertThat(daemon.waitFor(WITHIN.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(daemon.exitValue()).as(Files.readString(log)).isZero();
        } finally {
            daemon.destroyForcibly().waitFor();
        }
    }

    @Test
    void childrenEndWhenTheirParentIsKilled() throws Exception {
        try (FleetParent.Handle parent = FleetParent.start(directory)) {
            List<Long> children = parent.awaitChildren();
            parent.process().destroyForcibly().waitFor();
            Await.until(
                    WITHIN,
                    "no child of a killed parent",
                    parent::messages,
                    () -> children.stream().noneMatch(FleetTest::exists));
        }
    }

    @Test
    void aTerminatedParentTakesItsChildrenAlong() throws Exception {
        try (FleetParent.Handle parent = FleetParent.start(directory)) {
            List<Long> children = new ArrayList<>(parent.awaitChildren());
            parent.process().toHandle().destroy();
            assertThat(parent.process().waitFor(WITHIN.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(children).isNotEmpty().noneMatch(FleetTest::exists);
            assertThat(parent.process().exitValue()).as(parent.messages()).isZero();
        }
    }
}
