package photon.eventstore.tail;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import photon.core.time.IntervalClock;
import photon.storage.tail.FilePosition;
import photon.storage.tail.LogTail;
import photon.storage.tail.TailBatch;
import photon.storage.tail.TailLag;

/** By a tail of the files. */
final class TailedPrimaryLog implements PrimaryLog {
    private final LogTail tail;
    private final IntervalClock clock;

    TailedPrimaryLog(LogTail tail, IntervalClock clock) {
        this.tail = tail;
        this.clock = clock;
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
        return clock.state().synchronised() ? clock.now().latestMicros() : Long.MAX_VALUE;
    }

    @Override
    public void close() {
        tail.close();
    }
}
