package photon.server.lifecycle;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * SIGTERM and Ctrl-C: asks the run to end in good order, and lets the process go when it has. A run
 * that takes longer than its bound is cut off; whatever it left is repaired at the next start.
 */
public final class Shutdown implements AutoCloseable {
    private static final Duration ORDERLY_MAX = Duration.ofSeconds(60);

    /** A start may wait for others far longer than anybody waits for its end. */
    private static final Duration ORDERLY_MAX_STARTING = Duration.ofSeconds(3);

    static final Duration STEP = Duration.ofMillis(100);

    private final CountDownLatch requested = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread hook = new Thread(this::onSignal, "shutdown");
    private volatile Duration orderlyMax = ORDERLY_MAX;
    private volatile int status = 1;

    Shutdown() {}

    public static Shutdown install() {
        Shutdown shutdown = new Shutdown();
        Runtime.getRuntime().addShutdownHook(shutdown.hook);
        return shutdown;
    }

    /**
     * Until {@link #started}, a signal does not wait long, and ends the process with status 0:
     * there is little to end in good order, and nothing has failed.
     */
    public void starting() {
        startingWith(0);
    }

    /**
     * The same, for a run of which a script reads the exit status: one that is ended before it has
     * started has done nothing of what was asked for.
     *
     * @param exitStatus of such an end
     */
    public void startingWith(int exitStatus) {
        status = exitStatus;
        orderlyMax = ORDERLY_MAX_STARTING;
    }

    public void started() {
        status = 1;
        orderlyMax = ORDERLY_MAX;
    }

    /** Waits for a request to end, so long at the most. */
    public boolean awaitRequest(Duration bound) {
        try {
            return requested.await(bound.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /**
     * The run has done all it had to; the process ends with this status even if a signal asked for
     * the end.
     */
    public void finished(int exitStatus) {
        status = exitStatus;
    }

    int exitStatus() {
        return status;
    }

    private void onSignal() {
        requested.countDown();
        try {
            if (!endsInTime(() -> ended.await(STEP.toMillis(), TimeUnit.MILLISECONDS))) {
                Duration bound = orderlyMax;
                System.err.println(
                        bound.equals(ORDERLY_MAX_STARTING)
                                ? "photon: ended by a signal before it had started"
                                : "photon: not shut down within "
                                        + bound.toSeconds()
                                        + " s of the signal; stopped at once");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        System.out.flush();
        System.err.flush();
        // A signal's own status would hide the run's.
        Runtime.getRuntime().halt(status);
    }

    /** Waits for so long at a time. */
    @FunctionalInterface
    interface Wait {
        /** Whether the run has ended. */
        boolean step() throws InterruptedException;
    }

    /** The bound is that of the moment: the start may end, and the orderly end begin, meanwhile. */
    boolean endsInTime(Wait wait) throws InterruptedException {
        for (Duration waited = Duration.ZERO;
                waited.compareTo(orderlyMax) < 0;
                waited = waited.plus(STEP)) {
            if (wait.step()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void close() {
        ended.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The hook is at work: it ends the process.
        }
    }
}
