package photon.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.cli.LocalProcess;
import photon.core.rpc.LoopbackPorts;
import photon.core.testing.Await;

/** A daemon tells systemd when it serves, that it lives, and when it ends. */
@Tag("crash")
class SystemdTest {
    private static final Duration LONG = Duration.ofMinutes(3);

    @TempDir Path directory;

    @Test
    void systemdHearsOfADaemonFromItsServiceToItsEnd() throws Exception {
        Path words = Files.createFile(directory.resolve("words"));
        Path bin = Files.createDirectory(directory.resolve("bin"));
        Path fake = bin.resolve("systemd-notify");
        Files.writeString(fake, "#!/bin/sh\necho \"$*\" >> '%s'\n".formatted(words));
        assertThat(fake.toFile().setExecutable(true)).isTrue();
        List<Integer> ports = LoopbackPorts.choose(OneDatacenter.ports(1), new Random());
        Map<String, String> environment =
                Map.of(
                        "NOTIFY_SOCKET",
                        "/run/nobody/listens",
                        "WATCHDOG_USEC",
                        "200000",
                        "PATH",
                        bin + ":" + System.getenv("PATH"));
        try (LocalProcess registry =
                LocalProcess.start(
                        environment,
                        directory,
                        "",
                        "run",
                        "registry",
                        "--name",
                        "r0",
                        "--config",
                        OneDatacenter.config(directory, 1, ports, "out").toString())) {
            Await.until(
                    LONG,
                    "two pings",
                    registry::messagesOrTrouble,
                    () -> Files.readAllLines(words).size() >= 3);
            assertThat(registry.stdout()).contains("serves on");
            registry.terminate();
            assertThat(registry.await()).isZero();
        }
        List<String> heard = Files.readAllLines(words);
        assertThat(heard).startsWith("READY=1", "WATCHDOG=1").contains("STOPPING=1");
        assertThat(heard.stream().distinct()).hasSize(3);
    }
}
