package photon.core.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class LoopbackPortsTest {
    private static final int EACH = 150;

    /** Chooses ports, says which, and lives on until its input ends. */
    static final class Chooser {
        private Chooser() {}

        public static void main(String[] args) throws Exception {
            System.out.println(LoopbackPorts.choose(EACH, new Random()));
            System.in.read();
        }
    }

    private static Set<Integer> parse(String list) {
        return new HashSet<>(
                Arrays.stream(list.replaceAll("[\\[\\] ]", "").split(","))
                        .map(Integer::valueOf)
                        .toList());
    }

    @Test
    void aProcessIsNotGivenWhatAnotherMayUseAgain() throws Exception {
        List<Integer> ours = LoopbackPorts.choose(EACH, new Random());
        Process other =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                Chooser.class.getName())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        try (BufferedReader said = other.inputReader()) {
            Set<Integer> theirs = parse(said.readLine());
            assertThat(theirs).hasSize(EACH).doesNotContainAnyElementsOf(ours);
            Set<Integer> more = new HashSet<>();
            while (more.size() < 3_000) {
                more.addAll(LoopbackPorts.choose(EACH, new Random()));
            }
            assertThat(more).doesNotContainAnyElementsOf(theirs);
        } finally {
            other.destroyForcibly();
        }
    }

    @Test
    void aPortThatIsTakenIsLeftOut() throws Exception {
        int port = LoopbackPorts.choose(1, new Random()).get(0);
        try (ServerSocket taken = new ServerSocket(port + 1, 1, InetAddress.getLoopbackAddress())) {
            assertThat(LoopbackPorts.isFree(taken.getLocalPort())).isFalse();
            assertThat(LoopbackPorts.choose(3, new Random())).doesNotContain(port + 1);
        }
        assertThat(LoopbackPorts.isFree(port + 1)).isTrue();
    }
}
