package photon.storage.ledger;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import photon.core.time.IntervalClock;

/**
 * Says which entries are old enough to leave a ledger (docs/protocol.md section 8).
 *
 * @param idsBelowMicros of an event, its timestamp must be below this
 * @param writtenBeforeMicros an entry must have been written before this
 */
public record LedgerAge(long idsBelowMicros, long writtenBeforeMicros) {
    private static final LedgerAge NOTHING = new LedgerAge(Long.MIN_VALUE, Long.MIN_VALUE);

    /**
     * The registry's clocks and this process's own must both say that an entry was written long
     * ago: neither is taken at its word alone. The boundary is the registry's time less the
     * retention.
     *
     * @param boundaryMicros ids below it can be committed no more; {@link Long#MIN_VALUE}: not
     *     known, and nothing is old enough
     * @param keep so long an entry stands at least, by this clock
     */
    public static LedgerAge of(long boundaryMicros, IntervalClock clock, Duration keep) {
        if (!clock.state().synchronised()) {
            return NOTHING;
        }
        long byOwnClock =
                clock.now().earliestMicros() - TimeUnit.MILLISECONDS.toMicros(keep.toMillis());
        return new LedgerAge(boundaryMicros, Math.min(boundaryMicros, byOwnClock));
    }

    /**
     * Whether all of some entries are.
     *
     * @param lastIdMicros of the youngest event that they name; {@link Long#MIN_VALUE}: they name
     *     none
     * @param lastWrittenMicros when the last of them was written
     */
    boolean isPast(long lastIdMicros, long lastWrittenMicros) {
        return lastIdMicros < idsBelowMicros && lastWrittenMicros < writtenBeforeMicros;
    }
}
