package photon.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import photon.server.lifecycle.HaltAt;

/** {@code photon} in a process of its own, as a user starts it, so that it can be killed. */
public final class LocalProcess implements AutoCloseable {
    /** Temporary directory of the process, beside its logs. */
    public static final String TEMPORARY = "temporary";

    static final List<String> SMALL =
            List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx700m", "-Xshare:auto");

    /** Only against a test that would never end: machines are slow when others use them. */
    private static final int SECONDS_MAX = 900;

    /** A pipeline keeps its registry's ports; between two runs another test may have taken one. */
    private static final int PORT_TRIES_MAX = 60;

    private static final long PORT_TRY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ProcessBuilder builder;
    private Process process;
    private final Path out;
    private final Path err;

    /** What starts {@code photon} small, to which its arguments are added. */
    static List<String> small() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(SMALL);
        command.addAll(ClassArchive.options());
        command.addAll(List.of("-cp", ClassArchive.classPath(), "photon.cli.Photon"));
        return command;
    }

    private LocalProcess(ProcessBuilder builder, Path out, Path err) throws IOException {
        this.builder = builder;
        this.process = builder.start();
        this.out = out;
        this.err = err;
    }

    /**
     * @param haltAt {@link HaltAt}'s text; empty: never
     */
    public static LocalProcess start(Path logs, String haltAt, String... args) throws IOException {
        return start(Map.of(), logs, haltAt, args);
    }

    /**
     * @param environment what the process has besides ours
     */
    public static LocalProcess start(
            Map<String, String> environment, Path logs, String haltAt, String... args)
            throws IOException {
        if (!haltAt.isEmpty() && !haltAt.contains(":")) {
            throw new IllegalArgumentException(
                    "Expected POINT:COUNT, but got '" + haltAt + "': a process would refuse it");
        }
        Path out = Files.createTempFile(logs, "run-", ".out");
        Path err = Files.createTempFile(logs, "run-", ".err");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(SMALL);
        command.addAll(ClassArchive.options());
        // Of its own, so that a test can see what is left in it.
        Path temporary = Files.createDirectories(logs.resolve(TEMPORARY));
        command.add("-Djava.io.tmpdir=" + temporary);
        command.add("-D" + HaltAt.PROPERTY + "=" + haltAt);
        command.add("-Dphoton.home=" + Repository.root());
        command.addAll(List.of("-cp", ClassArchive.classPath(), "photon.cli.Photon"));
        command.addAll(List.of(args));
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile());
        builder.environment().putAll(environment);
        return new LocalProcess(builder, out, err);
    }

    /** Waits for its end; started again while one of its ports is in use. */
    public int await() throws IOException, InterruptedException {
        int status = awaitEnd();
        for (int i = 0; i < PORT_TRIES_MAX && status != 0 && isPortInUse(); i++) {
            LockSupport.parkNanos(PORT_TRY_NANOS);
            process = builder.start();
            status = awaitEnd();
        }
        return status;
    }

    private boolean isPortInUse() throws IOException {
        String said = stderr();
        return said.contains("in use, but the registry of this state directory needs it")
                || (said.contains("Cannot listen on 127.0.0.1")
                        && said.contains("Address already in use")
                        && !said.contains("for metrics"));
    }

    private int awaitEnd() throws IOException, InterruptedException {
        if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
            String stacks = stacks();
            process.destroyForcibly().waitFor();
            throw new AssertionError(
                    "No end within " + SECONDS_MAX + " s. " + messages() + "\n" + stacks);
        }
        return process.exitValue();
    }

    /** What it is at, thread by thread. */
    private String stacks() throws IOException, InterruptedException {
        Process jstack =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "jstack")
                                        .toString(),
                                Long.toString(process.pid()))
                        .redirectErrorStream(true)
                        .start();
        String text = new String(jstack.getInputStream().readAllBytes(), UTF_8);
        jstack.waitFor();
        return text;
    }

    /** Waits for its end, which must be that of a run that is right. */
    public JsonNode awaitBooks() throws IOException, InterruptedException {
        return awaitBooks(0);
    }

    /** Waits for its end with this exit status, and its books. */
    public JsonNode awaitBooks(int expected) throws IOException, InterruptedException {
        int status = await();
        if (status != expected) {
            throw new AssertionError(
                    "Expected exit status " + expected + ", but got " + status + ". " + messages());
        }
        return new ObjectMapper().readTree(out.toFile());
    }

    public String stdout() throws IOException {
        return Files.readString(out);
    }

    public String stderr() throws IOException {
        return Files.readString(err);
    }

    public String messages() throws IOException {
        return "stdout: " + Files.readString(out) + "\nstderr: " + Files.readString(err);
    }

    public String messagesOrTrouble() {
        try {
            return messages();
        } catch (IOException e) {
            return "No messages: " + e;
        }
    }

    /** Waits for its end, but no longer than this. */
    public void awaitAtMost(Duration bound) throws InterruptedException {
        process.waitFor(bound.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** SIGKILL. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** SIGTERM. */
    public void terminate() {
        process.destroy();
    }

    /**
     * @param name of a signal, such as STOP
     */
    public void signal(String name) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
        if (kill.waitFor() != 0) {
            throw new IOException("Expected SIG" + name + " to reach " + process.pid());
        }
    }

    /** What it has started. */
    public List<ProcessHandle> children() {
        return process.children().toList();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
