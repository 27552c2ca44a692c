package photon.server.local;

import java.time.Duration;

/**
 * Decides when {@code --until-idle} may end: both logs are read to their end, every event is
 * settled or waits for its primary event and was tried since, nothing is pending, and nothing new
 * came for the given time. Not thread-safe.
 */
final class IdleRule {
    /** What to do now. */
    enum Step {
        WAIT,
        /**
         * Everything else is quiet: try all waiting rows once more, then say so by {@link
         * #retried}.
         */
        RETRY_WAITING,
        DONE
    }

    /**
     * What all parts say at one time.
     *
     * @param progress a number that changes whenever anything was read, joined, written or
     *     published
     * @param caughtUp every log is read to its end
     * @param busy events, rows, repairs or unpublished records that are neither settled nor waiting
     *     for a primary event
     */
    record Observation(long progress, boolean caughtUp, long busy) {}

    private final long quietNanos;
    private long lastProgress = Long.MIN_VALUE;
    private long quietSince;
    private boolean retrying;
    private boolean newSinceRetry;
    private boolean retried;

    IdleRule(Duration quiet) {
        this.quietNanos = quiet.toNanos();
    }

    Step observe(Observation now, long nanoTime) {
        if (now.progress() != lastProgress || !now.caughtUp() || now.busy() > 0) {
            if (now.progress() != lastProgress) {
                // Something new may be what a waiting event waits for.
                retried = false;
                newSinceRetry = true;
            }
            lastProgress = now.progress();
            quietSince = nanoTime;
            return Step.WAIT;
        }
        if (retrying) {
            return Step.WAIT;
        }
        if (!retried) {
            retrying = true;
            newSinceRetry = false;
            return Step.RETRY_WAITING;
        }
        return nanoTime - quietSince >= quietNanos ? Step.DONE : Step.WAIT;
    }

    /** All rows that waited when {@link Step#RETRY_WAITING} was answered have been tried. */
    void retried() {
        retrying = false;
        retried = !newSinceRetry;
    }
}
