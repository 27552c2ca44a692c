package photon.storage.lease;

import java.time.Duration;
import java.util.random.RandomGenerator;
import photon.storage.lease.LeaseDocument.Standing;

/**
 * Decides when a lease may be taken that another one may hold: when it has stood unchanged for its
 * term, by this process's monotonic clock alone, and a random pause more, so that not all who wait
 * try at one time (docs/protocol.md section 7). Told of each look, in order. Not thread-safe.
 */
public final class TakeOverRule {
    /** Of the term: looks, and the longest pause. */
    private static final int PARTS = 4;

    private final String self;
    private final RandomGenerator random;
    private long version = -1;
    private long sinceNanos;
    private long pauseNanos;

    /**
     * @param self what it holds itself, in an earlier life, is its own: that life has ended
     */
    public TakeOverRule(String self, RandomGenerator random) {
        this.self = self;
        this.random = random;
    }

    /**
     * It was looked at.
     *
     * @param askedNanos monotonic: what was seen stood at no moment before, for all that is known
     * @param answeredNanos monotonic: nor at one after
     * @return how long to wait for the next look; zero: it may be taken, over what was seen
     */
    public Duration looked(Standing standing, long askedNanos, long answeredNanos) {
        if (standing.lease().isEmpty()) {
            return Duration.ZERO;
        }
        Lease lease = standing.lease().get();
        if (lease.released() || lease.holder().equals(self)) {
            return Duration.ZERO;
        }
        long termNanos = Math.max(PARTS, lease.term().toNanos());
        if (standing.version() != version) {
            version = standing.version();
            sinceNanos = answeredNanos;
            pauseNanos = random.nextLong(termNanos / PARTS);
        }
        long left = termNanos + pauseNanos - (askedNanos - sinceNanos);
        return left <= 0 ? Duration.ZERO : Duration.ofNanos(Math.min(left, termNanos / PARTS));
    }
}
