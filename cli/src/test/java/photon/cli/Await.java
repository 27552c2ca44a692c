package photon.cli;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Waits for what another process does: looks again and again, and not for ever. */
public final class Await {
    private static final long LOOK_EVERY_NANOS = 20_000_000;

    private Await() {}

    /**
     * @param expected for people
     * @param details shown if it does not come
     */
    public static void until(
            Duration bound, String expected, Supplier<String> details, Callable<Boolean> condition)
            throws Exception {
        long start = System.nanoTime();
        while (!condition.call()) {
            if (System.nanoTime() - start > bound.toNanos()) {
                throw new AssertionError(
                        "Expected " + expected + " within " + bound + ". " + details.get());
            }
            LockSupport.parkNanos(LOOK_EVERY_NANOS);
        }
    }
}
