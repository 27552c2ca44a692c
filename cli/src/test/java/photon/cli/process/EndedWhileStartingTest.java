package photon.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.cli.LocalProcess;
import photon.core.rpc.LoopbackPorts;
import photon.core.testing.Await;

/**
 * A daemon waits for what it needs, and may be asked to end meanwhile: that is no failure, which a
 * supervisor would show and answer with a start.
 */
@Tag("slow")
class EndedWhileStartingTest {
    private static final Duration LONG = Duration.ofMinutes(3);

    @TempDir Path directory;

    private final List<Integer> ports;

    EndedWhileStartingTest() throws IOException {
        ports = LoopbackPorts.choose(OneDatacenter.ports(1) + 1, new Random());
    }

    @Test
    void whileItWaitsForItsHdfs() throws Exception {
        String hdfs = "hdfs://127.0.0.1:" + ports.get(OneDatacenter.ports(1)) + "/";
        endsInOrder(hdfs + "joined", hdfs + " does not answer yet");
    }

    @Test
    void whileItWaitsForItsRegistry() throws Exception {
        endsInOrder("joined", "");
    }

    /** A script would take status 0 for the end of the logs. */
    @Test
    void aRunUntilIdleThatWaitsForItsAdapter() throws Exception {
        Path config =
                Files.writeString(
                        directory.resolve("photon.yaml"),
                        LocalTest.JOBS.formatted("events-*.csv", "events-*.csv", "")
                                + "adapter: {command: [sleep, \"60\"]}\n");
        try (LocalProcess run =
                LocalProcess.start(
                        directory,
                        "",
                        "local",
                        "--until-idle",
                        "1s",
                        "--config",
                        config.toString())) {
            Await.until(
                    LONG,
                    "a run that says what it waits for",
                    run::messagesOrTrouble,
                    () -> run.stderr().contains("waiting for the adapter sleep 60 to start"));
            long begun = System.nanoTime();
            run.terminate();
            assertThat(run.await()).as(run.messages()).isEqualTo(1);
            assertThat(Duration.ofNanos(System.nanoTime() - begun))
                    .isLessThan(Duration.ofSeconds(50));
        }
    }

    /**
     * @param said what the daemon says of its waiting
     */
    private void endsInOrder(String output, String said) throws Exception {
        try (LocalProcess joiner =
                LocalProcess.start(
                        directory,
                        "",
                        "run",
                        "joiner",
                        "--config",
                        OneDatacenter.config(directory, 1, ports, output).toString())) {
            // It holds its lock from the moment on at which it starts, and waits.
            Await.until(
                    LONG,
                    "a daemon that waits",
                    joiner::messagesOrTrouble,
                    () ->
                            Files.exists(directory.resolve("state"))
                                    && joiner.stderr().contains(said));
            joiner.terminate();
            assertThat(joiner.await()).as(joiner.messages()).isZero();
            assertThat(joiner.stdout()).doesNotContain("serves");
        }
    }
}
