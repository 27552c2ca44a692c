package photon.joiner.rules;

import com.google.protobuf.ByteString;
import java.time.Duration;
import photon.core.share.EventStoreShares;

/**
 * Which event store is asked for a primary event, and which one next where that has not helped
 * (docs/protocol.md section 7). Each event has its stores in an order of its own. One that has
 * failed is asked last for a while; then one event tries whether it is back. Not thread-safe.
 */
public final class StoreRoutes {
    /** An answer that takes longer is looked for elsewhere, if there is another store. */
    public static final Duration ANSWER_MAX = Duration.ofMillis(1_500);

    /** How long a store that has failed is asked last. */
    static final Duration AVOIDED = Duration.ofSeconds(5);

    /** No store is worth being asked. */
    public static final int NONE = -1;

    private final EventStoreShares shares;
    private final boolean[] failed;
    private final long[] avoidedUntilNanos;

    public StoreRoutes(EventStoreShares shares) {
        this.shares = shares;
        this.failed = new boolean[shares.names().size()];
        this.avoidedUntilNanos = new long[failed.length];
    }

    /** How many stores there are. */
    public int stores() {
        return failed.length;
    }

    /** Whether there is never another store to ask. */
    public boolean isOne() {
        return failed.length == 1;
    }

    /**
     * The store to ask, by place. The first that works; if none does, and none has looked, one that
     * does not: it may be back.
     *
     * @param key of the primary event
     * @param asked stores that were asked for it, a bit each by place
     * @param looked one of those has looked and did not find it
     */
    public int next(ByteString key, long asked, boolean looked, long nowNanos) {
        if (isOne()) {
            return asked == 0 ? 0 : NONE;
        }
        int lastResort = NONE;
        for (int store : shares.owners(key)) {
            if ((asked >> store & 1) == 0) {
                if (!isAvoided(store, nowNanos)) {
                    if (failed[store]) {
                        // This event tries it, and no other one waits for that.
                        avoidedUntilNanos[store] = nowNanos + ANSWER_MAX.toNanos();
                    }
                    return store;
                }
                lastResort = lastResort == NONE ? store : lastResort;
            }
        }
        return looked ? NONE : lastResort;
    }

    private boolean isAvoided(int store, long nowNanos) {
        return failed[store] && nowNanos - avoidedUntilNanos[store] < 0;
    }

    /** It has answered within {@link #ANSWER_MAX}. */
    public void answered(int store) {
        failed[store] = false;
    }

    /**
     * Its stream broke, or an answer did not come in time.
     *
     * @return true if it worked before
     */
    public boolean failed(int store, long nowNanos) {
        boolean worked = !failed[store];
        failed[store] = true;
        avoidedUntilNanos[store] = nowNanos + AVOIDED.toNanos();
        return worked;
    }

    /** Whether no store works, so that every event is in the same trouble. */
    public boolean allFail() {
        for (boolean one : failed) {
            if (!one) {
                return false;
            }
        }
        return true;
    }
}
