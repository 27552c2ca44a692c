package photon.bench.registry;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import photon.core.error.FailedException;
import photon.registry.api.IdBatch;
import photon.registry.api.IdRegistry;

/** A replica that has applied all that was committed. */
final class CaughtUp {
    private static final Duration WITHIN = Duration.ofMinutes(10);
    private static final Duration ONE_LOOK = Duration.ofSeconds(1);
    private static final Duration ANSWERED_WITHIN = Duration.ofSeconds(10);
    private static final int ASKED = 1_024;

    private CaughtUp() {}

    /**
     * Waits until the nearest replica knows the last ids. Nobody commits meanwhile.
     *
     * @param pause between two looks
     */
    static void await(IdRegistry registry, BenchIds ids, Runnable pause) {
        IdBatch.Builder last = IdBatch.builder(ASKED);
        for (long number = ids.end() - 1; number >= 0 && last.size() < ASKED; number--) {
            if (ids.isUsed(number)) {
                ids.addId(number, true, last);
            }
        }
        IdBatch asked = last.build();
        long began = System.nanoTime();
        while (!isKnown(registry, asked)) {
            if (System.nanoTime() - began > WITHIN.toNanos()) {
                throw new FailedException(
                        "Expected the replica to know the last ids within %s s"
                                .formatted(WITHIN.toSeconds()));
            }
            pause.run();
        }
    }

    private static boolean isKnown(IdRegistry registry, IdBatch asked) {
        try {
            return registry.lookup(asked, IdRegistry.Freshness.LOCAL, ONE_LOOK)
                            .get(ANSWERED_WITHIN.toMillis(), TimeUnit.MILLISECONDS)
                            .held()
                    == asked.size();
        } catch (ExecutionException | TimeoutException e) {
            // It does not serve yet.
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FailedException("interrupted while waiting for a replica");
        }
    }
}
