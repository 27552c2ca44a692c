package photon.core.testing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Waits for what another process does: looks again and again, and not for ever. */
public final class Await {
    private static final long LOOK_EVERY_NANOS = 20_000_000;

    private Await() {}

    /** Decides whether what was told is what is waited for. */
    public interface Condition<T> {
        boolean test(T value) throws Exception;
    }

    /**
     * Asks until it is told what it waits for.
     *
     * @param expected for people, who are shown what was told last
     * @return what was told then
     */
    public static <T> T answer(
            Duration bound, String expected, Condition<? super T> condition, Callable<T> asked)
            throws Exception {
        List<T> told = new ArrayList<>();
        until(
                bound,
                expected,
                () -> "Last: " + told.get(told.size() - 1),
                () -> {
                    told.add(asked.call());
                    return condition.test(told.get(told.size() - 1));
                });
        return told.get(told.size() - 1);
    }

    /**
     * @param expected for people
     * @param details shown if it does not come
     */
    public static void until(
            Duration bound, String expected, Supplier<String> details, Callable<Boolean> condition)
            throws Exception {
        until(bound, Duration.ofNanos(LOOK_EVERY_NANOS), expected, details, condition);
    }

    /**
     * The same, where a look is dear.
     *
     * @param lookEvery pause between two looks
     */
    public static void until(
            Duration bound,
            Duration lookEvery,
            String expected,
            Supplier<String> details,
            Callable<Boolean> condition)
            throws Exception {
        long start = System.nanoTime();
        while (!condition.call()) {
            if (System.nanoTime() - start > bound.toNanos()) {
                throw new AssertionError(
                        "Expected " + expected + " within " + bound + ". " + details.get());
            }
            LockSupport.parkNanos(lookEvery.toNanos());
        }
    }
}
