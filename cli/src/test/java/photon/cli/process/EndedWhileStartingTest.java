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
        ports = LoopbackPorts.choose(6, new Random());
    }

    @Test
    void whileItWaitsForItsHdfs() throws Exception {
        String hdfs = "hdfs://127.0.0.1:" + ports.get(5) + "/";
        endsInOrder(hdfs + "joined", hdfs + " does not answer yet");
    }

    @Test
    void whileItWaitsForItsRegistry() throws Exception {
        endsInOrder("joined", "");
    }

    /**
     * @param said what the daemon says of its waiting
     */
    private void endsInOrder(String output, String said) throws Exception {
        try (LocalProcess joiner =
                LocalProcess.start(
                        directory, "", "run", "joiner", "--config", config(output).toString())) {
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

    private Path config(String output) throws IOException {
        String text =
                LocalTest.JOBS
                                .formatted("events-*.csv", "events-*.csv", "")
                                .replace("[east, west]", "[east]")
                        + """
                        deployment:
                          datacenter: east
                          state: state
                          output: %s
                          registry:
                            - {name: r0, datacenter: east, raft: "127.0.0.1:%d", service: "127.0.0.1:%d"}
                          eventStore: 127.0.0.1:%d
                          dispatcher: 127.0.0.1:%d
                          joiners:
                            - {name: joiner-0, address: "127.0.0.1:%d"}
                        """
                                .formatted(
                                        output,
                                        ports.get(0),
                                        ports.get(1),
                                        ports.get(2),
                                        ports.get(3),
                                        ports.get(4));
        return Files.writeString(directory.resolve("photon.yaml"), text);
    }
}
