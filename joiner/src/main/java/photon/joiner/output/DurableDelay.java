package photon.joiner.output;

import java.util.List;
import java.util.SortedMap;
import photon.core.metrics.DelayHistogram;
import photon.core.time.IntervalClock;
import photon.storage.output.WorkRecord;

/**
 * How long after they happened foreign events were flushed in a work log, by the joiner's clock and
 * the events' own timestamps: whatever the two clocks differ by is in it, too. Over all
 * incarnations of a joiner. Decides nothing.
 */
public final class DurableDelay {
    private final IntervalClock clock;
    private final DelayHistogram delays = new DelayHistogram();

    public DurableDelay(IntervalClock clock) {
        this.clock = clock;
    }

    /** The present; taken once for all records of a flush. */
    long nowMicros() {
        IntervalClock.Interval now = clock.now();
        return now.earliestMicros() + (now.latestMicros() - now.earliestMicros()) / 2;
    }

    /** These were flushed at that time. In the output loop. */
    void flushed(List<WorkRecord> records, long atMicros) {
        for (WorkRecord record : records) {
            delays.record(atMicros - record.id().micros());
        }
    }

    /**
     * As {@link DelayHistogram#counts}; what happened after it was flushed, by these clocks, has a
     * delay of 0. Thread-safe.
     */
    public SortedMap<Long, Long> counts() {
        return delays.counts();
    }
}
