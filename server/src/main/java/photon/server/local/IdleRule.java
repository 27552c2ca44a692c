package photon.server.local;

import java.time.Duration;
import java.util.List;
import photon.dispatcher.state.DispatcherStatus;

/**
 * Decides when {@code --until-idle} may end: both logs are read to their end, every event is
 * settled or waits for its primary event and was tried since, nothing is pending, nothing new came
 * for the given time, and each log was looked at since. What keeps a run from its end and need not
 * be waited for is asked for. Not thread-safe.
 */
final class IdleRule {
    /** What to do now. */
    enum Step {
        WAIT,
        /**
         * Every datacenter has seen its own events through, and what is left waits for another
         * one's turn, or since an event store was behind: try it now. Said again while some is
         * left.
         */
        TRY_DEFERRED,
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
     * @param progress a number that changes whenever anything was read, joined, written or repaired
     * @param caughtUp every log is read to its end
     * @param polls of each reader of logs, in the same order each time, how many looks have ended:
     *     while one hangs, what it would find is in no other figure
     * @param busy repairs, and joiners that do not serve: these may bring events that no other
     *     figure here has counted
     * @param unsettled events and rows that are neither settled nor waiting for a primary event
     * @param deferred of these, those that {@link Step#TRY_DEFERRED} is for
     * @param unpublished joined records that are not published
     */
    record Observation(
            long progress,
            boolean caughtUp,
            List<Long> polls,
            long busy,
            long unsettled,
            long deferred,
            long unpublished) {}

    private final long quietNanos;
    private long lastProgress = Long.MIN_VALUE;

    /** Since then nothing has come. */
    private long quietSince;

    /** Since then nothing has come and {@link Step#PUBLISH} was not answered. */
    private long unpublishedSince;

    /** By the last look: the parts are looked at one after another, so one look is not enough. */
    private boolean settledBefore;

    /** Looks that had ended when nothing had come for the given time; empty: it has not passed. */
    private List<Long> pollsWhenQuiet = List.of();

    private boolean retrying;
    private boolean newSinceRetry;
    private boolean retried;

    IdleRule(Duration quiet) {
        this.quietNanos = quiet.toNanos();
    }

    Step observe(Observation now, long nanoTime) {
        boolean isNew = now.progress() != lastProgress;
        boolean quiet = !isNew && now.caughtUp() && now.busy() == 0;
        boolean settled = quiet && now.unsettled() == 0 && now.unpublished() == 0;
        boolean settledTwice = settled && settledBefore;
        settledBefore = settled;
        if (isNew) {
            // It may be what a waiting event waits for.
            lastProgress = now.progress();
            retried = false;
            newSinceRetry = true;
        }
        if (!quiet) {
            quietSince = nanoTime;
            unpublishedSince = nanoTime;
            pollsWhenQuiet = List.of();
            return Step.WAIT;
        }
        boolean lookedSince = lookedSince(now, nanoTime);
        if (!settled) {
            return hastened(now, nanoTime);
        }
        if (retrying) {
            return Step.WAIT;
        }
        if (!retried) {
            retrying = true;
            newSinceRetry = false;
            return Step.RETRY_WAITING;
        }
        return settledTwice && lookedSince ? Step.DONE : Step.WAIT;
    }

    /** Nothing has come for the given time, and each reader has looked again since. */
    private boolean lookedSince(Observation now, long nanoTime) {
        if (nanoTime - quietSince < quietNanos) {
            return false;
        }
        if (pollsWhenQuiet.isEmpty()) {
            pollsWhenQuiet = List.copyOf(now.polls());
        }
        for (int i = 0; i < now.polls().size(); i++) {
            long polls = now.polls().get(i);
            if (polls == pollsWhenQuiet.get(i) && polls != DispatcherStatus.NO_LOGS) {
                return false;
            }
        }
        return true;
    }

    private Step hastened(Observation now, long nanoTime) {
        if (now.unsettled() > 0) {
            return now.unsettled() == now.deferred() ? Step.TRY_DEFERRED : Step.WAIT;
        }
        // Not for each that comes alone: that would be a file each.
        if (nanoTime - unpublishedSince < quietNanos / 2) {
            return Step.WAIT;
        }
        unpublishedSince = nanoTime;
        return Step.PUBLISH;
    }

    /** All rows that waited when {@link Step#RETRY_WAITING} was answered have been tried. */
    void retried() {
        retrying = false;
        retried = !newSinceRetry;
    }
}
