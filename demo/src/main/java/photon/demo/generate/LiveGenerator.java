package photon.demo.generate;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import photon.core.time.IntervalClock;

/**
 * Writes logs at a rate, by the wall clock, in a thread of its own, until it is stopped or all
 * events are there. Thread-safe.
 */
public final class LiveGenerator implements AutoCloseable {
    /** How long a record may wait in a buffer. */
    private static final long BATCH_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final ExecutorService compressor =
            Executors.newSingleThreadExecutor(task -> daemon(task, "generator-gzip"));
    private final CompletableFuture<Answer> answer = new CompletableFuture<>();
    private volatile boolean stopping;
    private volatile long records;
    private final AtomicLong joinable = new AtomicLong();

    private LiveGenerator() {}

    /**
     * @param directory new or empty; made if it is not there
     * @param clock its middle is the time that processes without an offset see
     * @param listener hears of each pair when both of its records can be read
     */
    public static LiveGenerator start(
            Path directory,
            GeneratorSettings settings,
            LogStore files,
            IntervalClock clock,
            JoinableListener listener)
            throws IOException {
        LiveGenerator generator = new LiveGenerator();
        LongSupplier wall = () -> middle(clock.now());
        long start = wall.getAsLong();
        try {
            LogSession logs =
                    new LogSession(
                            directory,
                            settings,
                            start,
                            files,
                            generator.compressor,
                            (foreign, text, micros) -> {
                                generator.joinable.incrementAndGet();
                                listener.joinable(foreign, text, micros);
                            });
            LiveSession session = new LiveSession(logs, wall, start, System.nanoTime());
            daemon(() -> generator.run(session), "generator").start();
        } catch (IOException | RuntimeException e) {
            generator.compressor.shutdown();
            throw e;
        }
        return generator;
    }

    /** Records written so far, repeats among them. */
    public long records() {
        return records;
    }

    /** Foreign events that can be joined by what readers see so far. */
    public long joinable() {
        return joinable.get();
    }

    /** True once it has ended: all events are there, it was stopped, or it failed. */
    public boolean ended() {
        return answer.isDone();
    }

    /** Why it ended early; empty while it runs, or if all is well. */
    public Optional<Throwable> failure() {
        return answer.isCompletedExceptionally()
                ? Optional.of(answer.handle((ok, e) -> e).join())
                : Optional.empty();
    }

    /**
     * Ends the run in good order: clicks that have not happened are not logged, primary events that
     * clicks wait for are. Safe to call again.
     *
     * @return by what was written
     */
    public Answer stop() throws IOException {
        stopping = true;
        try {
            return answer.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof IOException io) {
                throw new IOException("The generator failed: " + io.getMessage(), io);
            }
            throw e;
        } finally {
            compressor.shutdown();
        }
    }

    @Override
    public void close() throws IOException {
        stop();
    }

    private void run(LiveSession session) {
        try {
            while (!stopping && !session.done()) {
                session.step(System.nanoTime());
                records = session.records();
                LockSupport.parkNanos(BATCH_NANOS);
            }
            Answer written = session.finish();
            records = session.records();
            answer.complete(written);
        } catch (UncheckedIOException e) {
            answer.completeExceptionally(e.getCause());
        } catch (Throwable e) { // whoever asks for the answer must hear of it, whatever it is
            answer.completeExceptionally(e);
        }
    }

    private static long middle(IntervalClock.Interval interval) {
        return interval.earliestMicros()
                + (interval.latestMicros() - interval.earliestMicros()) / 2;
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }
}
