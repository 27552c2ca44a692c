package photon.eventstore.tail;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import photon.core.time.IntervalClock;
import photon.storage.tail.FilePosition;
import photon.storage.tail.LogTail;
import photon.storage.tail.TailBatch;
import photon.storage.tail.TailLag;

/** By a tail of the files. */
final class TailedPrimaryLog implements PrimaryLog {
    private final LogTail tail;
    private final IntervalClock clock;
    private final Optional<Duration> retention;
    private final LongSupplier boundaryMicros;

    TailedPrimaryLog(
            LogTail tail,
            IntervalClock clock,
            Optional<Duration> retention,
            LongSupplier boundaryMicros) {
        this.tail = tail;
        this.clock = clock;
        this.retention = retention;
        this.boundaryMicros = boundaryMicros;
    }

    @Override
    public TailBatch poll(int recordsMax, long nanoTime) throws IOException {
        return tail.poll(recordsMax, nanoTime);
    }

    @Override
    public FilePosition position(int file, long offset) {
        return tail.position(file, offset);
    }

    @Override
    public boolean unread(int file) {
        return tail.unread(file);
    }

    @Override
    public TailLag lag() {
        return tail.lag();
    }

    @Override
    public long listedNanos() {
        return tail.listedNanos();
    }

    @Override
    public Duration listEvery() {
        return tail.listEvery();
    }

    @Override
    public boolean inSight() {
        return tail.inSight();
    }

    @Override
    public List<String> forget(long nanoTime) {
        tail.retire(nanoTime);
        long before = clock.now().earliestMicros() / 1_000 - KEPT.toMillis();
        List<String> outdated =
                tail.longAbsent(nanoTime).stream()
                        .filter(p -> p.modifiedMillis() > 0 && p.modifiedMillis() < before)
                        .map(FilePosition::key)
                        .toList();
        tail.forget(outdated);
        return outdated;
    }

    @Override
    public int files() {
        return tail.kept();
    }

    @Override
    public long latestMicros() {
        long boundary = boundaryMicros.getAsLong();
        if (retention.isEmpty() || boundary == Long.MIN_VALUE || !clock.state().synchronised()) {
            return Long.MAX_VALUE;
        }
        // The boundary is behind the registry's time by the retention or more.
        long byRegistry = boundary + TimeUnit.MILLISECONDS.toMicros(retention.get().toMillis());
        return Math.max(clock.now().latestMicros(), byRegistry);
    }

    @Override
    public void close() {
        tail.close();
    }
}
