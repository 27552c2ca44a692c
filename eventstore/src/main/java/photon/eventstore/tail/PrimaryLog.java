package photon.eventstore.tail;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import photon.core.time.IntervalClock;
import photon.storage.tail.FilePosition;
import photon.storage.tail.LogTail;
import photon.storage.tail.PositionsElsewhere;
import photon.storage.tail.TailBatch;
import photon.storage.tail.TailLag;

/** The primary logs as the indexer reads them. One loop owns it. */
public interface PrimaryLog extends AutoCloseable {
    /** {@link LogTail#poll}. */
    TailBatch poll(int recordsMax, long nanoTime) throws IOException;

    /** {@link LogTail#position}. */
    FilePosition position(int file, long offset);

    /** {@link LogTail#unread}. */
    boolean unread(int file);

    /** {@link LogTail#lag}. */
    TailLag lag();

    /** {@link LogTail#listedNanos}. */
    long listedNanos();

    /** From one listing to the next, at the most. */
    Duration listEvery();

    /** {@link LogTail#inSight}. */
    boolean inSight();

    /**
     * Lets go of files that have been gone for long, and says which of their positions are not
     * needed any more: they have been absent for long and were not modified for a week. One that
     * comes back all the same is indexed once more, which changes nothing.
     *
     * @return their keys
     */
    List<String> forget(long nanoTime);

    /** Files that are kept in memory. */
    int files();

    /**
     * What the time is at most, Unix microseconds; {@link Long#MAX_VALUE}: nobody knows. A clock
     * that was days behind would have fresh events dropped as old ones when it is right again: the
     * registry's boundary must have been heard of, too, and the later of the two counts.
     */
    long latestMicros();

    @Override
    void close();

    /** An absent file's position is kept for so long after its last modification. */
    Duration KEPT = Duration.ofDays(7);

    /**
     * @param retention of the pipeline; empty: nothing is dropped
     * @param boundaryMicros the highest that was heard of; {@link Long#MIN_VALUE}: none
     */
    static PrimaryLog of(
            LogTail tail,
            IntervalClock clock,
            Optional<Duration> retention,
            LongSupplier boundaryMicros) {
        tail.lookForCopies(PositionsElsewhere.NONE);
        return new TailedPrimaryLog(tail, clock, retention, boundaryMicros);
    }
}
