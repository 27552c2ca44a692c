package photon.testbed.history;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One life of a replica's process. Its stdin is held open: its end tells it that we are gone. */
public final class ReplicaProcess {
    private final Process process;
    private final Path log;
    private volatile boolean serves;

    private ReplicaProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /**
     * @param log where its stderr goes; that of earlier lives stays in front
     */
    public static ReplicaProcess start(List<String> command, Path log) throws IOException {
        Process process =
                new ProcessBuilder(command)
                        .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                        .start();
        ReplicaProcess started = new ReplicaProcess(process, log);
        Thread reader = new Thread(started::listen, "from " + log.getFileName());
        reader.setDaemon(true);
        reader.start();
        return started;
    }

    private void listen() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                serves |= line.contains(" serves on ");
            }
        } catch (IOException e) {
            // It was killed while it spoke.
            serves = false;
        }
    }

    public boolean serves() {
        return serves && process.isAlive();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    public int exitStatus() {
        return process.exitValue();
    }

    /** SIGKILL; returns when it is gone. */
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** SIGSTOP: it does nothing any more and is not gone, as a machine that hangs. */
    public void pause() throws IOException, InterruptedException {
        signal("STOP");
    }

    /** SIGCONT. */
    public void goOn() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + name, "" + process.pid()).start();
        if (!kill.waitFor(60, TimeUnit.SECONDS) || kill.exitValue() != 0) {
            throw new IOException("Expected SIG" + name + " to reach process " + process.pid());
        }
    }

    /** What it has said on stderr, in all its lives. */
    public String stderr() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            return "nothing can be read of what it said: " + e;
        }
    }
}
