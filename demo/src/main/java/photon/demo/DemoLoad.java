package photon.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import java.util.function.ObjLongConsumer;
import photon.core.error.FailedException;
import photon.core.id.EventId;
import photon.core.time.IntervalClock;
import photon.demo.generate.Answer;
import photon.demo.generate.GeneratorSettings;
import photon.demo.generate.LiveGenerator;
import photon.demo.generate.LogStore;

/** The live load, and what can be joined of it by the knowledge of who makes it. */
final class DemoLoad implements AutoCloseable {
    private final Queue<Joinable> fresh = new ConcurrentLinkedQueue<>();
    private final LiveGenerator generator;

    /** Both records of this event stand in logs since then. */
    private record Joinable(EventId id, long atMillis) {}

    private DemoLoad(
            Path logs,
            GeneratorSettings settings,
            LogStore files,
            IntervalClock clock,
            LongSupplier nowMillis)
            throws IOException {
        generator =
                LiveGenerator.start(
                        logs,
                        settings,
                        files,
                        clock,
                        (id, text, micros) -> fresh.add(new Joinable(id, nowMillis.getAsLong())));
    }

    /**
     * @param logs a directory that is empty
     * @param nowMillis since the load's start; thread-safe
     */
    static DemoLoad start(
            Path logs,
            GeneratorSettings settings,
            LogStore files,
            IntervalClock clock,
            LongSupplier nowMillis)
            throws IOException {
        return new DemoLoad(logs, settings, files, clock, nowMillis);
    }

    /** What has become joinable since the last call, with the time at which it did. */
    void drainTo(ObjLongConsumer<EventId> into) {
        for (Joinable each = fresh.poll(); each != null; each = fresh.poll()) {
            into.accept(each.id(), each.atMillis());
        }
    }

    /** Foreign events that can be joined, so far. */
    long joinable() {
        return generator.joinable();
    }

    /** Records of both streams written so far. */
    long records() {
        return generator.records();
    }

    /**
     * @throws FailedException if the logs cannot be written any more
     */
    void check() {
        Optional<Throwable> failure = generator.failure();
        if (failure.isPresent()) {
            throw new FailedException("The load has stopped: " + failure.get());
        }
    }

    /** Ends it in good order. Safe to call again. */
    Answer stop() throws IOException {
        return generator.stop();
    }

    @Override
    public void close() throws IOException {
        generator.close();
    }
}
