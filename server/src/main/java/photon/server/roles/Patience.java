package photon.server.roles;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import photon.core.time.Standstill;

/** How long to wait for an answer. */
public interface Patience {
    /**
     * @throws TimeoutException if it takes longer than this
     */
    <T> T await(CompletableFuture<T> answer)
            throws TimeoutException, ExecutionException, InterruptedException;

    /** A fixed time. */
    static Patience of(Duration max) {
        return new Patience() {
            @Override
            public <T> T await(CompletableFuture<T> answer)
                    throws TimeoutException, ExecutionException, InterruptedException {
                return answer.get(max.toMillis(), TimeUnit.MILLISECONDS);
            }
        };
    }

    /**
     * As long as something moves.
     *
     * @param standstill how long nothing may move
     * @param lookEvery between two looks at the progress
     * @param progress how far it is
     */
    static Patience whileMoving(
            Duration standstill, Duration lookEvery, Supplier<Object> progress) {
        return new Patience() {
            @Override
            public <T> T await(CompletableFuture<T> answer)
                    throws TimeoutException, ExecutionException, InterruptedException {
                Standstill watch = new Standstill(standstill, progress.get(), System.nanoTime());
                while (true) {
                    try {
                        return answer.get(lookEvery.toMillis(), TimeUnit.MILLISECONDS);
                    } catch (TimeoutException e) {
                        if (watch.reached(progress.get(), System.nanoTime())) {
                            throw e;
                        }
                    }
                }
            }
        };
    }
}
