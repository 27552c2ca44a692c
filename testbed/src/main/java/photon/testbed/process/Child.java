package photon.testbed.process;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One life of a process, with a thread that reads what it says on stdout. Its stdin is held open
 * and never written: its end tells the process that we are gone. Thread-safe.
 */
public final class Child {
    /** The line about its ports, which is no trouble. */
    private static final String LISTENS = " listens without encryption: ";

    private static final Logger log = LoggerFactory.getLogger(Child.class);
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final long SIGNAL_SECONDS_MAX = 60;

    private final ProcessName name;
    private final Process process;
    private volatile boolean serves;
    private volatile @Nullable ProcessStatusLine heard;
    private volatile String said = "";

    private Child(ProcessName name, Process process) {
        this.name = name;
        this.process = process;
    }

    /**
     * Starts it; returns at once.
     *
     * @param command it must end when its standard input is closed
     * @param log where its stderr goes; that of earlier lives stays in front
     */
    public static Child start(ProcessName name, List<String> command, Path log) throws IOException {
        Process process =
                new ProcessBuilder(command)
                        .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                        .start();
        Child child = new Child(name, process);
        Thread reader = new Thread(child::read, "from " + name.label());
        reader.setDaemon(true);
        reader.start();
        return child;
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("{")) {
                    heard(line);
                } else if (line.contains(" serves on ")) {
                    serves = true;
                } else if (!line.contains(LISTENS)) {
                    said = line;
                }
            }
        } catch (IOException e) {
            // It was killed while it spoke.
            log.debug("Nothing more from {}", name.label(), e);
        }
    }

    private void heard(String line) {
        try {
            JsonNode node = JSON.readTree(line);
            heard =
                    new ProcessStatusLine(
                            node.path("atMicros").asLong(),
                            name,
                            node.path("messages").asLong(),
                            node.path("status"));
        } catch (JsonProcessingException e) {
            // Half a line: it was killed while it spoke.
            log.debug("Expected a line of JSON from {}, but got '{}'", name.label(), line);
        }
    }

    /** It has said that it serves; it may have ended since. */
    public boolean serves() {
        return serves;
    }

    /** The last status that it told. */
    @Nullable ProcessStatusLine heard() {
        return heard;
    }

    /**
     * The last on stdout that is neither a status nor that it serves: a Java VM says there why it
     * gives up. Empty: nothing.
     */
    public String said() {
        return said;
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    long pid() {
        return process.pid();
    }

    /** What it has had of the processors; zero where the system does not say, or it has ended. */
    Duration cpuTime() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** SIGKILL; returns at once. */
    public void kill() {
        process.destroyForcibly();
    }

    /** SIGTERM, and only that: {@link Process#destroy} would close the pipes as well. */
    void terminate() {
        process.toHandle().destroy();
    }

    /**
     * @param name of a signal, such as STOP
     * @throws IOException if it did not reach the process
     */
    public void signal(String name) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid())).start();
        if (!kill.waitFor(SIGNAL_SECONDS_MAX, TimeUnit.SECONDS) || kill.exitValue() != 0) {
            throw new IOException("Expected SIG" + name + " to reach process " + pid());
        }
    }

    void awaitEnd(long bound, TimeUnit unit) throws InterruptedException {
        process.waitFor(bound, unit);
    }

    /** Waits until it is gone. */
    public int exitStatus() {
        return process.onExit().join().exitValue();
    }

    boolean endedWell() {
        return !process.isAlive() && process.exitValue() == 0;
    }
}
