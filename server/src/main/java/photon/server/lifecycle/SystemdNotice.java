package photon.server.lifecycle;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.config.DurationText;
import photon.core.error.IoText;

/**
 * Tells systemd that a daemon serves, lives and ends, where the unit wants to know ({@code
 * Type=notify}). Java has no datagram sockets of the kind that systemd listens on, so that a child
 * process says it: {@code systemd-notify}, which is part of systemd. The unit has to admit it, with
 * {@code NotifyAccess=all}. Thread-safe.
 */
public final class SystemdNotice implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SystemdNotice.class);

    static final String PROGRAM = "systemd-notify";
    private static final String SOCKET = "NOTIFY_SOCKET";

    /**
     * A ping that is lost is followed by another one. A child that hangs must not hold up the next.
     */
    private static final Duration PING_MAX = Duration.ofSeconds(5);

    /**
     * For what is said once. Without it systemd restarts a daemon that serves when the unit's
     * {@code TimeoutStartSec} has passed, so that a slow machine gets time to start the child. Two
     * that hang must leave the daemon time to end in good order ({@link Shutdown}).
     */
    private static final Duration SAY_MAX = Duration.ofSeconds(20);

    private final String program;
    private final Duration sayMax;
    private final String socket;
    private final Optional<Duration> pingEvery;
    private final BooleanSupplier live;
    private final ScheduledExecutorService pings =
            Executors.newSingleThreadScheduledExecutor(
                    task -> {
                        Thread thread = new Thread(task, "systemd-watchdog");
                        thread.setDaemon(true);
                        return thread;
                    });

    private SystemdNotice(
            String program,
            String socket,
            Optional<Duration> pingEvery,
            BooleanSupplier live,
            Duration sayMax) {
        this.program = program;
        this.sayMax = sayMax;
        this.socket = socket;
        this.pingEvery = pingEvery;
        this.live = live;
    }

    /**
     * @param environment what systemd has started the process with; without {@code NOTIFY_SOCKET}
     *     nobody is told anything
     * @param live systemd's watchdog hears of the daemon only while it says true
     */
    public static SystemdNotice of(Map<String, String> environment, BooleanSupplier live) {
        return of(PROGRAM, environment, live, SAY_MAX);
    }

    /**
     * @param sayMax for the program to say that the daemon serves, or ends
     */
    static SystemdNotice of(
            String program,
            Map<String, String> environment,
            BooleanSupplier live,
            Duration sayMax) {
        return new SystemdNotice(
                program,
                environment.getOrDefault(SOCKET, ""),
                pingEvery(environment, ProcessHandle.current().pid()),
                live,
                sayMax);
    }

    /** Half of the time after which systemd ends a silent process; empty: it does not watch. */
    static Optional<Duration> pingEvery(Map<String, String> environment, long pid) {
        String watched = environment.getOrDefault("WATCHDOG_PID", "");
        if (!watched.isEmpty() && !watched.equals(String.valueOf(pid))) {
            return Optional.empty();
        }
        try {
            long micros = Long.parseLong(environment.getOrDefault("WATCHDOG_USEC", ""));
            return micros <= 0
                    ? Optional.empty()
                    : Optional.of(Duration.ofNanos(TimeUnit.MICROSECONDS.toNanos(micros) / 2));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** The daemon serves. From now on the watchdog hears of it. */
    public void ready() {
        if (socket.isEmpty()) {
            return;
        }
        say("READY=1");
        pingEvery.ifPresent(
                every ->
                        pings.scheduleWithFixedDelay(
                                this::ping, 0, every.toNanos(), TimeUnit.NANOSECONDS));
    }

    /** The daemon ends. */
    public void stopping() {
        if (!socket.isEmpty()) {
            say("STOPPING=1");
        }
    }

    private void ping() {
        if (live.getAsBoolean()) {
            sendPing();
        } else {
            LOG.warn(
                    "This daemon does not live (/livez says why): systemd's watchdog does not hear of it, and restarts it");
        }
    }

    private void say(String word) {
        Optional<Process> child = start(word);
        try {
            if (child.isPresent()) {
                end(child.get(), word, sayMax);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // The child goes on.
        }
    }

    private void sendPing() {
        String word = "WATCHDOG=1";
        Optional<Process> child = start(word);
        try {
            if (child.isPresent()) {
                end(child.get(), word, PING_MAX);
            }
        } catch (InterruptedException e) {
            child.ifPresent(Process::destroyForcibly);
            Thread.currentThread().interrupt();
        }
    }

    private void end(Process child, String word, Duration max) throws InterruptedException {
        if (!child.waitFor(max.toMillis(), TimeUnit.MILLISECONDS)) {
            child.destroyForcibly();
            LOG.warn("{} {} has not ended within {}", program, word, DurationText.of(max));
        } else if (child.exitValue() != 0) {
            LOG.warn("{} {} has ended with status {}", program, word, child.exitValue());
        }
    }

    private Optional<Process> start(String word) {
        ProcessBuilder builder =
                new ProcessBuilder(program, word)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put(SOCKET, socket);
        try {
            return Optional.of(builder.start());
        } catch (IOException e) {
            LOG.warn(
                    "systemd waits for {} in vain, since {} cannot be run: {}. Install it, or set Type=exec in the unit",
                    word,
                    program,
                    IoText.of(e));
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        pings.shutdownNow();
    }
}
