package photon.simulation.parts;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import photon.core.crash.CrashPoints;
import photon.core.error.FailedException;
import photon.core.loop.EventLoop;
import photon.registry.client.RegistryConnection;
import photon.simulation.kernel.HostClock;
import photon.simulation.kernel.Life;
import photon.storage.files.FileStore;

/**
 * One process's machine: starts the process, and starts it again when it has ended, as systemd
 * would, until it is told not to. Its clock and its place in the network outlive the process.
 */
public abstract class ProcessHost {
    private static final long CLOCK_BOUND_MICROS = 10_000;
    private static final long RESTART_MIN_NANOS = 1_000_000_000L;
    private static final int RESTART_SPREAD_NANOS = 400_000_000;
    static final Duration STOP_MAX = Duration.ofSeconds(40);

    final SimulatedSite site;
    final String role;
    private final HostClock clock;
    private final RandomGenerator random;

    /** All that run: more than one while a replaced process has not noticed. */
    private final Map<Life, EventLoop> living = new LinkedHashMap<>();

    private @Nullable Life current;
    private boolean wanted;
    private boolean stopping;
    private int lives;

    /** For how long it stays away at its next end. */
    private Duration away = Duration.ZERO;

    ProcessHost(SimulatedSite site, String role) {
        this.site = site;
        this.role = role;
        this.clock = new HostClock(site.world.timeline(), CLOCK_BOUND_MICROS);
        this.random = site.world.timeline().random().split();
    }

    /** One life's means. */
    record Means(Life life, EventLoop main, FileStore files) {}

    /** The process, such as {@code east/joiner-0}. */
    public final String process() {
        return site.datacenter() + "/" + role;
    }

    /** The network's name of this machine. */
    public final String networkHost() {
        return site.layout.host(role);
    }

    public final HostClock clock() {
        return clock;
    }

    /** The process, if it runs; of two the later. */
    public final @Nullable Life life() {
        return current;
    }

    /** Lives begun so far. */
    public final int lives() {
        return lives;
    }

    /** Starts the process unless it runs; from now on it is started again when it has ended. */
    public final void start() {
        wanted = true;
        if (current == null && !site.closed && isListed()) {
            begin();
        }
    }

    /** False: the configuration does not name it, and it does not start. */
    public boolean isListed() {
        return true;
    }

    private void begin() {
        stopping = false;
        Life life = new Life(site.world.timeline(), clock, process(), ++lives, this::met);
        current = life;
        Means means = new Means(life, life.loop("main"), site.disk.of(life));
        living.put(life, means.main());
        life.onEnd(() -> ended(life));
        attempt(means, means.main(), () -> open(means));
    }

    private void met(Life life, String where, Throwable bug) {
        site.world.bugs().met(life, where, bug);
        life.end("stopped by what it met in " + where);
    }

    /**
     * True if a process was stopped by its files: a disk that fails, or, where it was replaced, its
     * state that has another owner by now. That is as it should be.
     */
    public static boolean stoppedByFiles(Throwable bug) {
        for (Throwable cause = bug; cause != null; cause = cause.getCause()) {
            if (cause instanceof IOException || cause instanceof FailedException) {
                return true;
            }
        }
        return false;
    }

    private void ended(Life life) {
        living.remove(life);
        if (current != life) {
            return; // another has its place already
        }
        current = null;
        gone();
        if (wanted) {
            long pause = RESTART_MIN_NANOS + random.nextInt(RESTART_SPREAD_NANOS) * 10L;
            site.world.timeline().after(Duration.ofNanos(pause).plus(away), this::startAgain);
            away = Duration.ZERO;
        }
    }

    private void startAgain() {
        if (wanted && current == null && !site.closed && isListed()) {
            begin();
        }
    }

    /** Ends the process as kill -9 does; it is started again soon. */
    public final void kill(String why) {
        Life life = current;
        if (life != null) {
            life.end(why);
        }
    }

    /** Ends it with all that it left running; it is not started again before {@link #start}. */
    public final void shutDown(String why) {
        wanted = false;
        for (Life life : List.copyOf(living.keySet())) {
            life.end(why);
        }
    }

    /**
     * Closes the process as its own orderly end does, where production has one, with its bounds; it
     * is started again afterwards. Nothing if it does not run, or closes already.
     */
    public final void restartOrderly() {
        Life life = current;
        if (life != null && !stopping) {
            stopping = true;
            site.world.timeline().trace().add(process(), "closes");
            site.world.timeline().after(STOP_MAX, () -> life.end("closed too slowly"));
            close(life);
        }
    }

    /** The same, but it is not started again for so long. */
    public final void closeFor(Duration length) {
        away = length;
        restartOrderly();
    }

    /**
     * Starts a second process in the first one's place, which goes on: it was thought dead, and
     * perhaps only sleeps.
     */
    public final void replace() {
        if (wanted && !site.closed && isListed()) {
            site.world.timeline().trace().add(process(), "is replaced, but goes on");
            gone(); // an orderly end of the second one must not close the first one's component
            begin();
        }
    }

    /** Builds the component. In the main loop; a failure ends the process. */
    abstract void open(Means means) throws IOException;

    /** Forgets the component of the life that has ended. */
    abstract void gone();

    /** Begins an orderly end, which ends the life in the end. */
    void close(Life life) {
        life.end("closed");
    }

    /** The main loop of a life that has not ended. */
    final EventLoop main(Life life) {
        return requireNonNull(living.get(life), "Expected a life that goes on");
    }

    /** Work of a start that touches files, in one of the process's loops. */
    final void attempt(Means means, EventLoop loop, FileWork work) {
        loop.execute(
                () -> {
                    try {
                        work.run();
                    } catch (IOException e) {
                        site.world.timeline().trace().add(process(), "does not start: %s", e);
                        means.life().end("it could not start");
                    }
                });
    }

    /** Work on files. */
    @FunctionalInterface
    interface FileWork {
        void run() throws IOException;
    }

    final RegistryConnection connect(Means means) {
        return new RegistryConnection(
                means.main(),
                site.world.registry().connect(means.life(), networkHost(), means.main()),
                site.registryServers,
                site.config.pipeline(),
                means.life().random(),
                process());
    }

    final CrashPoints crashPoints(Life life) {
        return point -> {
            site.world.crashPoints().passed(life, point);
            life.checkAlive();
        };
    }
}
