package photon.dispatcher.rules;

import static photon.core.error.Checks.check;

import java.time.Duration;
import java.util.List;
import photon.core.id.EventId;

/**
 * Each foreign event prefers one datacenter, the same in the eyes of all. The others wait before
 * they try it; by then their local replica usually knows it. Immutable.
 */
public final class Stagger {
    /** A log that is written live is never so far ahead. */
    static final long BACKLOG_BYTES = 1 << 20;

    private static final int BACKLOG_DELAYS = 2;

    private final int self;
    private final int datacenters;
    private final Duration delay;

    /** So much longer in a backlog. */
    private final Duration longer;

    /**
     * @param datacenters all of them, in the same order everywhere
     * @param delay how long the others wait; zero: they do not
     */
    public Stagger(String datacenter, List<String> datacenters, Duration delay) {
        this.self = datacenters.indexOf(datacenter);
        this.datacenters = datacenters.size();
        this.delay = delay;
        this.longer = delay.multipliedBy(BACKLOG_DELAYS);
        check(self >= 0, "Expected %s to be one of %s", datacenter, datacenters);
    }

    /** How long the others wait. */
    public Duration delay() {
        return delay;
    }

    /** How long this datacenter waits before it tries the event: zero if the event prefers it. */
    public Duration delayOf(EventId id) {
        return prefersUs(id) ? Duration.ZERO : delay;
    }

    /**
     * How much longer a held event waits while this datacenter reads a backlog. Datacenters drift
     * apart by seconds then, and the other one may not even have read what it prefers; nobody waits
     * for an old event. Not when what is held takes half of its room: reading must go on.
     *
     * @param lagBytes known to wait unread
     * @param held events that are held
     * @param heldMax the most that may be
     */
    public Duration longerInABacklog(long lagBytes, int held, int heldMax) {
        boolean backlog = lagBytes >= BACKLOG_BYTES && held < heldMax / 2;
        return backlog ? longer : Duration.ZERO;
    }

    public boolean prefersUs(EventId id) {
        return Long.remainderUnsigned(id.stableHash() >>> 32, datacenters) == self;
    }
}
