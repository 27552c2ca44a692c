package photon.testbed.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import photon.core.error.FailedException;

/**
 * The processes of a demo: starts them, kills them, hears them, and leaves none behind. Each one
 * ends by itself when this process is gone, however it went, since its standard input is a pipe
 * that only this process holds.
 *
 * <p>Thread-safe. No process is started once {@link #close} was called.
 */
public final class Fleet implements AutoCloseable {
    /**
     * Who is asked to end, one role after the other: each may need those that come later to finish
     * what it has begun.
     */
    private static final List<String> STOP_ORDER =
            List.of(
                    ProcessName.VERIFIER,
                    ProcessName.DISPATCHER,
                    ProcessName.JOINER,
                    ProcessName.EVENT_STORE,
                    ProcessName.REGISTRY);

    private static final Duration KILLED_WITHIN = Duration.ofMinutes(2);

    private final Function<ProcessName, List<String>> commands;
    private final Path logs;
    // Changed under the lock of this; a child itself is thread-safe.
    private final Map<ProcessName, Child> children = new LinkedHashMap<>();
    private boolean closed;

    /**
     * @param commands a process's command line; it must end when its standard input is closed
     * @param logs directory of the processes' stderr, a file each; must exist
     */
    public Fleet(Function<ProcessName, List<String>> commands, Path logs) {
        this.commands = commands;
        this.logs = logs;
    }

    /**
     * Starts it, or starts it again; returns at once.
     *
     * @throws IllegalStateException if it is alive, or the fleet is closed
     * @throws IOException if it cannot be started
     */
    public synchronized void start(ProcessName name) throws IOException {
        if (closed) {
            throw new IllegalStateException("Expected the fleet to be open, but it is closed");
        }
        if (alive(name)) {
            throw new IllegalStateException("Expected no " + name.label() + ", but it is alive");
        }
        children.put(name, Child.start(name, commands.apply(name), log(name)));
    }

    /** Hard, as SIGKILL; returns when it is gone. Nothing if it is not alive. */
    public void kill(ProcessName name) {
        kill(List.of(name));
    }

    /** The same to several at one moment. */
    public void kill(Collection<ProcessName> names) {
        List<Child> killed = names.stream().map(this::child).flatMap(Optional::stream).toList();
        killed.forEach(Child::kill);
        awaitEnd(killed, System.nanoTime() + KILLED_WITHIN.toNanos());
    }

    /**
     * SIGSTOP: it does nothing any more and is not gone, as a machine that hangs. Nothing if it is
     * not alive.
     */
    public void pause(ProcessName name) throws IOException, InterruptedException {
        signal(name, "STOP");
    }

    /** SIGCONT. */
    public void goOn(ProcessName name) throws IOException, InterruptedException {
        signal(name, "CONT");
    }

    private void signal(ProcessName name, String signal) throws IOException, InterruptedException {
        Child child = child(name).filter(Child::isAlive).orElse(null);
        if (child != null) {
            child.signal(signal);
        }
    }

    /**
     * SIGTERM to one, and waits for its end.
     *
     * @return false if it did not end in good order by then
     */
    public boolean stop(ProcessName name, Duration bound) {
        Child child = child(name).orElse(null);
        if (child == null) {
            return true;
        }
        child.terminate();
        awaitEnd(List.of(child), System.nanoTime() + bound.toNanos());
        return child.endedWell();
    }

    public boolean alive(ProcessName name) {
        return child(name).filter(Child::isAlive).isPresent();
    }

    /** It has said, since it was last started, that it serves. */
    public boolean serving(ProcessName name) {
        return child(name).filter(c -> c.isAlive() && c.serves()).isPresent();
    }

    /** The last it said of itself since it was last started; it stays when the process ends. */
    public Optional<ProcessStatusLine> status(ProcessName name) {
        return child(name).map(Child::heard);
    }

    /** Its number in the operating system, if it is alive. */
    public OptionalLong pid(ProcessName name) {
        return child(name)
                .filter(Child::isAlive)
                .map(c -> OptionalLong.of(c.pid()))
                .orElseGet(OptionalLong::empty);
    }

    /** What it has had of the processors since it was last started; zero if it is not alive. */
    public Duration cpuTime(ProcessName name) {
        return child(name).map(Child::cpuTime).orElse(Duration.ZERO);
    }

    /** All that were ever started, in that order. */
    public synchronized List<ProcessName> processes() {
        return List.copyOf(children.keySet());
    }

    /** Where its stderr goes. */
    public Path log(ProcessName name) {
        return logs.resolve(name.fileName() + ".log");
    }

    /**
     * A process that should serve and has ended by itself is a failure of the run.
     *
     * @throws FailedException if one of these has ended: with the last lines that it said
     */
    public void checkAlive(Collection<ProcessName> names) {
        for (ProcessName name : names) {
            if (!alive(name)) {
                throw new FailedException(
                        "Expected %s to run, but it has ended%s"
                                .formatted(name.label(), lastWords(name)));
            }
        }
    }

    private String lastWords(ProcessName name) {
        try {
            List<String> lines = Files.readAllLines(log(name));
            List<String> last =
                    new ArrayList<>(lines.subList(Math.max(0, lines.size() - 10), lines.size()));
            // What it gives as its reason; libraries may have gone on talking behind it.
            lines.stream()
                    .filter(line -> line.startsWith("photon: ") && !last.contains(line))
                    .reduce((earlier, later) -> later)
                    .ifPresent(last::add);
            child(name).map(Child::said).filter(said -> !said.isEmpty()).ifPresent(last::add);
            return ": " + String.join("\n  ", last);
        } catch (IOException e) {
            return "; nothing can be read of what it said: " + e;
        }
    }

    /**
     * Asks all to end in good order, as SIGTERM does, and waits. What is left is for {@link #close}
     * to kill.
     *
     * @param bound for all together
     * @return those that did not end in good order by then
     */
    public List<ProcessName> stopAll(Duration bound) {
        long deadline = System.nanoTime() + bound.toNanos();
        Map<ProcessName, Child> all = living();
        for (String role : STOP_ORDER) {
            List<Child> asked = new ArrayList<>();
            all.forEach(
                    (name, child) -> {
                        if (name.role().equals(role)) {
                            child.terminate();
                            asked.add(child);
                        }
                    });
            awaitEnd(asked, deadline);
        }
        List<ProcessName> disorderly = new ArrayList<>();
        all.forEach(
                (name, child) -> {
                    if (!child.endedWell()) {
                        disorderly.add(name);
                    }
                });
        return disorderly;
    }

    private static void awaitEnd(List<Child> asked, long deadline) {
        try {
            for (Child child : asked) {
                child.awaitEnd(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized Map<ProcessName, Child> living() {
        Map<ProcessName, Child> living = new LinkedHashMap<>(children);
        living.values().removeIf(child -> !child.isAlive());
        return living;
    }

    private synchronized Optional<Child> child(ProcessName name) {
        return Optional.ofNullable(children.get(name));
    }

    /** Kills what is left, and waits until it is gone. Safe to call twice. */
    @Override
    public void close() {
        List<Child> left;
        synchronized (this) {
            closed = true;
            left = List.copyOf(children.values());
        }
        left.forEach(Child::kill);
        awaitEnd(left, System.nanoTime() + KILLED_WITHIN.toNanos());
    }
}
