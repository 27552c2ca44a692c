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
        /** Only what is joined and not published keeps the run from its end: publish it now. */
        PUBLISH,
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
     * @param unpublished of these, records
     */
    record Observation(long progress, boolean caughtUp, long busy, long unpublished) {}

    private final long quietNanos;
    private long lastProgress = Long.MIN_VALUE;
    private long quietSince;

    /** Since then there was nothing new, and nothing to be done but to publish. */
    private long joinedSince;

    private boolean retrying;
    private boolean newSinceRetry;
    private boolean retried;

    IdleRule(Duration quiet) {
        this.quietNanos = quiet.toNanos();
    }

    Step observe(Observation now, long nanoTime) {
        boolean moves = now.progress() != lastProgress || !now.caughtUp();
        if (moves || now.busy() > now.unpublished()) {
            joinedSince = nanoTime;
        }
        if (moves || now.busy() > 0) {
            if (now.progress() != lastProgress) {
                // Something new may be what a waiting event waits for.
                retried = false;
                newSinceRetry = true;
            }
            lastProgress = now.progress();
            quietSince = nanoTime;
            return mayPublish(nanoTime) ? Step.PUBLISH : Step.WAIT;
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

    /** Not for each that comes alone: that would be a file each. */
    private boolean mayPublish(long nanoTime) {
        if (nanoTime - joinedSince < quietNanos / 2) {
            return false;
        }
        joinedSince = nanoTime;
        return true;
    }

    /** All rows that waited when {@link Step#RETRY_WAITING} was answered have been tried. */
    void retried() {
        retrying = false;
        retried = !newSinceRetry;
    }
}
