package photon.dispatcher.rules;

import photon.core.time.Backoff;

/**
 * How fast a dispatcher may send to one joiner: not at all for a while after a broken session or an
 * answer that means everybody, longer each time, at full speed after the first good answer. So a
 * trouble of everybody's costs one pause, not a retry of each event. Not thread-safe.
 */
public final class SenderPace {
    private final Backoff backoff;
    private int troubles;
    private long pausedUntilNanos;
    private boolean paused;

    public SenderPace(Backoff backoff) {
        this.backoff = backoff;
    }

    /** Something went wrong that would meet every event. During a pause it changes nothing. */
    public void trouble(long nanoTime) {
        if (pauseNanos(nanoTime) == 0) {
            troubles++;
            pausedUntilNanos = nanoTime + backoff.afterFailures(troubles).toNanos();
            paused = true;
        }
    }

    /** An event got an answer of its own. */
    public void good() {
        troubles = 0;
    }

    /** No trouble since the last good answer. */
    public boolean trusted() {
        return troubles == 0;
    }

    /** How long not to send; 0: send. */
    public long pauseNanos(long nanoTime) {
        if (paused && pausedUntilNanos - nanoTime <= 0) {
            paused = false;
        }
        return paused ? pausedUntilNanos - nanoTime : 0;
    }
}
