package photon.eventstore.tail;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.loop.EventLoop;
import photon.core.time.IntervalClock;

/**
 * Drops from the index, every few minutes, what is older than the retention. While the clock is not
 * known to be right nothing is dropped. One loop owns it: the one that writes the index.
 */
public final class IndexRetention {
    private static final Logger log = LoggerFactory.getLogger(IndexRetention.class);

    static final Duration EVERY = Duration.ofMinutes(5);

    private final EventLoop loop;
    private final Expiry index;
    private final IntervalClock clock;
    private final Optional<Duration> retention;

    /** What is told to drop events. */
    @FunctionalInterface
    public interface Expiry {
        /** Drops events that are older, as far as that is cheap; returns how many. */
        long expire(long beforeMicros);
    }

    /**
     * @param retention empty: nothing is dropped
     */
    public IndexRetention(
            EventLoop loop, Expiry index, IntervalClock clock, Optional<Duration> retention) {
        this.loop = loop;
        this.index = index;
        this.clock = clock;
        this.retention = retention;
    }

    /** Goes on by itself from here. */
    public void start() {
        if (retention.isPresent()) {
            loop.schedule(EVERY, this::drop);
        }
    }

    private void drop() {
        if (clock.state().synchronised()) {
            long kept = TimeUnit.MILLISECONDS.toMicros(retention.orElseThrow().toMillis());
            long events = index.expire(clock.now().earliestMicros() - kept);
            if (events > 0) {
                log.info("Dropped {} primary events that are older than the retention", events);
            }
        }
        loop.schedule(EVERY, this::drop);
    }
}
