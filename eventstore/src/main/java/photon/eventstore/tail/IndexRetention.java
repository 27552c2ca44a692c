package photon.eventstore.tail;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.loop.EventLoop;
import photon.core.time.IntervalClock;
import photon.storage.ledger.LedgerAge;
import photon.storage.ledger.LedgerRetention;

/**
 * Drops from the index, every few minutes, primary events that nothing can join any more: those
 * that are older by the retention than the oldest foreign event that may still be joined. That one
 * is not older than the retention, and not below the boundary, which stands still while a repair is
 * outstanding (docs/protocol.md section 5). While the clock is not known to be right, or no
 * boundary was heard of, nothing is dropped. Also takes from the ledger of bad records what is old
 * enough. One loop owns it: the one that writes the index and the ledger.
 */
public final class IndexRetention {
    private static final Logger log = LoggerFactory.getLogger(IndexRetention.class);

    static final Duration EVERY = Duration.ofMinutes(5);

    private final EventLoop loop;
    private final Expiry index;
    private final LedgerRetention badRecords;
    private final Duration keepLedger;
    private final IntervalClock clock;
    private final Optional<Duration> retention;
    private final LongSupplier boundaryMicros;

    /** What is told to drop events. */
    @FunctionalInterface
    public interface Expiry {
        /** Drops events that are older, as far as that is cheap; returns how many. */
        long expire(long beforeMicros);
    }

    /**
     * @param badRecords the ledger's
     * @param keepLedger so long its entries stand at least
     * @param retention of the pipeline; empty: nothing is dropped
     * @param boundaryMicros the highest that was heard of; {@link Long#MIN_VALUE}: none
     */
    public IndexRetention(
            EventLoop loop,
            Expiry index,
            LedgerRetention badRecords,
            Duration keepLedger,
            IntervalClock clock,
            Optional<Duration> retention,
            LongSupplier boundaryMicros) {
        this.loop = loop;
        this.index = index;
        this.badRecords = badRecords;
        this.keepLedger = keepLedger;
        this.clock = clock;
        this.retention = retention;
        this.boundaryMicros = boundaryMicros;
    }

    /** Goes on by itself from here. */
    public void start() {
        if (retention.isPresent()) {
            loop.schedule(EVERY, this::drop);
        }
    }

    private void drop() {
        long boundary = boundaryMicros.getAsLong();
        badRecords.pass(LedgerAge.of(boundary, clock, keepLedger), entry -> false);
        if (clock.state().synchronised() && boundary != Long.MIN_VALUE) {
            long kept = TimeUnit.MILLISECONDS.toMicros(retention.orElseThrow().toMillis());
            long oldestForeign = Math.min(boundary, clock.now().earliestMicros() - kept);
            long events = index.expire(oldestForeign - kept);
            if (events > 0) {
                log.info("Dropped {} primary events that nothing can join any more", events);
            }
        }
        loop.schedule(EVERY, this::drop);
    }
}
