package photon.server.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.core.testing.Await;

class SystemdNoticeTest {
    private static final Duration LONG = Duration.ofMinutes(2);
    private static final String RECEIVER =
            """
            import socket, sys
            heard = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            heard.bind(sys.argv[1])
            print("bound", flush=True)
            while True:
                print(heard.recv(4096).decode(), flush=True)
            """;

    @TempDir Path directory;
    private final AtomicBoolean live = new AtomicBoolean(true);
    private Path words;
    private String program;

    /** In the place of systemd's own: writes down what it would send where. */
    @BeforeEach
    void fake() throws IOException {
        words = directory.resolve("words");
        Path script = directory.resolve("notify");
        Files.writeString(
                script, "#!/bin/sh\necho \"$NOTIFY_SOCKET $*\" >> '%s'\n".formatted(words));
        assertThat(script.toFile().setExecutable(true)).isTrue();
        program = script.toString();
    }

    private List<String> told() throws IOException {
        return Files.exists(words) ? Files.readAllLines(words) : List.of();
    }

    private SystemdNotice notice(Map<String, String> environment) {
        return SystemdNotice.of(program, environment, live::get, LONG);
    }

    @Test
    void aProcessThatSystemdHasNotStartedTellsNobody() throws IOException {
        try (SystemdNotice notice = notice(Map.of("WATCHDOG_USEC", "1000"))) {
            notice.ready();
            notice.stopping();
        }
        assertThat(told()).isEmpty();
    }

    @Test
    void systemdHearsThatItServesAndThatItEnds() throws IOException {
        try (SystemdNotice notice = notice(Map.of("NOTIFY_SOCKET", "/run/s"))) {
            assertThat(told()).isEmpty();
            notice.ready();
            assertThat(told()).containsExactly("/run/s READY=1");
            notice.stopping();
        }
        assertThat(told()).containsExactly("/run/s READY=1", "/run/s STOPPING=1");
    }

    @Test
    void theWatchdogHearsOfItWhileItLivesAndOnlyThen() throws Exception {
        live.set(false);
        AtomicBoolean asked = new AtomicBoolean();
        Map<String, String> environment = Map.of("NOTIFY_SOCKET", "@s", "WATCHDOG_USEC", "20000");
        try (SystemdNotice notice =
                SystemdNotice.of(
                        program,
                        environment,
                        () -> {
                            // The look before this one has told what it had to.
                            boolean now = live.get();
                            asked.set(true);
                            return now;
                        },
                        LONG)) {
            notice.ready();
            Await.until(LONG, "a look", () -> "", asked::get);
            asked.set(false);
            Await.until(LONG, "another look", () -> "", asked::get);
            assertThat(told()).containsExactly("@s READY=1");
            live.set(true);
            Await.until(LONG, "three words", () -> "", () -> told().size() >= 4);
            assertThat(told().subList(1, 4)).containsOnly("@s WATCHDOG=1");
        }
    }

    @Test
    void pingsComeTwiceInTheTimeOfTheWatchdog() {
        assertThat(SystemdNotice.pingEvery(Map.of(), 7)).isEmpty();
        assertThat(SystemdNotice.pingEvery(Map.of("WATCHDOG_USEC", "soon"), 7)).isEmpty();
        assertThat(SystemdNotice.pingEvery(Map.of("WATCHDOG_USEC", "0"), 7)).isEmpty();
        Map<String, String> watched = Map.of("WATCHDOG_USEC", "120000000", "WATCHDOG_PID", "7");
        assertThat(SystemdNotice.pingEvery(watched, 7)).contains(Duration.ofMinutes(1));
        assertThat(SystemdNotice.pingEvery(watched, 8)).as("another process is watched").isEmpty();
    }

    @Test
    void aMachineWithoutTheProgramRunsTheDaemonAllTheSame() {
        Map<String, String> environment = Map.of("NOTIFY_SOCKET", "/run/s");
        try (SystemdNotice notice =
                SystemdNotice.of(
                        directory.resolve("absent").toString(), environment, () -> true, LONG)) {
            assertThatCode(notice::ready).doesNotThrowAnyException();
            assertThatCode(notice::stopping).doesNotThrowAnyException();
        }
    }

    /** With systemd's own program, and a socket like systemd's. */
    @Test
    void theProgramOfSystemdUnderstandsTheWords() throws Exception {
        assumeTrue(runs(SystemdNotice.PROGRAM, "--version"), "systemd-notify is not on the PATH");
        assumeTrue(runs("python3", "--version"), "python3 is not on the PATH");
        Path socket = directory.resolve("socket");
        Path heard = directory.resolve("heard");
        Process receiver =
                new ProcessBuilder("python3", "-c", RECEIVER, socket.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(heard.toFile())
                        .start();
        try {
            Await.until(
                    LONG, "a socket", () -> "", () -> Files.readString(heard).contains("bound"));
            Map<String, String> environment =
                    Map.of("NOTIFY_SOCKET", socket.toString(), "WATCHDOG_USEC", "3600000000");
            try (SystemdNotice notice =
                    SystemdNotice.of(SystemdNotice.PROGRAM, environment, () -> true, LONG)) {
                notice.ready();
                Await.until(
                        LONG,
                        "a ping",
                        () -> "",
                        () -> Files.readString(heard).contains("WATCHDOG=1"));
                notice.stopping();
            }
            List<String> words = new ArrayList<>(Files.readAllLines(heard));
            words.removeIf(word -> !word.matches("[A-Z]+=1") || word.startsWith("BARRIER"));
            assertThat(words).containsExactly("READY=1", "WATCHDOG=1", "STOPPING=1");
        } finally {
            receiver.destroyForcibly();
            receiver.waitFor();
        }
    }

    private static boolean runs(String... command) throws InterruptedException {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
