package photon.server.configtest;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import photon.core.error.FailedException;

/**
 * Calls what may never answer, such as what users wrote, in a thread of its own, and waits no
 * longer than allowed. A call that does not end keeps the thread, which does not keep the process.
 */
public final class BoundedCalls implements AutoCloseable {
    private final Duration bound;
    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(
                    task -> {
                        Thread made = new Thread(task, "config-test");
                        made.setDaemon(true);
                        return made;
                    });

    /**
     * @param bound of one call
     */
    public BoundedCalls(Duration bound) {
        this.bound = bound;
    }

    Duration bound() {
        return bound;
    }

    /** Empty: it has not ended in time, and was interrupted. */
    public <T> Optional<T> call(Callable<T> call) {
        return call(call, bound);
    }

    /** As {@link #call(Callable)}, with a bound of its own. */
    <T> Optional<T> call(Callable<T> call, Duration max) {
        Future<T> answer = thread.submit(call);
        try {
            return Optional.of(answer.get(max.toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            answer.cancel(true);
            return Optional.empty();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new FailedException("adapter: " + e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FailedException("The test of the configuration was interrupted");
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
