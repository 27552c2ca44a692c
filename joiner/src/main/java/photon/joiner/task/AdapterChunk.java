package photon.joiner.task;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import photon.joiner.adapters.AdapterDecision;

/**
 * Some pairs that one thread hands to the adapter, one after another. The thread says where it is;
 * the loop looks whether it stays there for too long. Thread-safe.
 */
final class AdapterChunk {
    private final List<PrimaryLookups.Found> pairs;
    private final String tooLong;
    private final List<AdapterDecision> decisions = new ArrayList<>();
    private @Nullable Thread inCall;
    private boolean interrupted;
    private boolean givenUp;

    /** Where the thread was at the last look that found it somewhere else; only the loop's. */
    private int seen = -1;

    private long seenSinceNanos;

    /**
     * @param tooLong reason of the decision about a pair whose call had to be interrupted
     */
    AdapterChunk(List<PrimaryLookups.Found> pairs, String tooLong) {
        this.pairs = pairs;
        this.tooLong = tooLong;
    }

    List<PrimaryLookups.Found> pairs() {
        return pairs;
    }

    /** In the adapter's thread, before a call. */
    synchronized void callBegins() {
        inCall = Thread.currentThread();
        interrupted = false;
    }

    /**
     * In the adapter's thread, after a call.
     *
     * @return false: it was given up meanwhile, and so were all pairs behind it
     */
    synchronized boolean callEnded(AdapterDecision decision) {
        inCall = null;
        if (givenUp) {
            return false;
        }
        if (interrupted) {
            // Whatever it returned: it may have been cut short. And the next call is not meant.
            boolean unused = Thread.interrupted();
            decisions.add(new AdapterDecision.Retry(tooLong));
        } else {
            decisions.add(decision);
        }
        return true;
    }

    /** What was decided, for the first pairs of the chunk. */
    synchronized List<AdapterDecision> decisions() {
        return List.copyOf(decisions);
    }

    /** What a look has found. */
    enum Look {
        WELL,
        /** It was interrupted, at this look or an earlier one. */
        INTERRUPTED,
        /** It does not heed the interruption: no decision comes from this chunk any more. */
        GIVEN_UP
    }

    /**
     * Called at regular times, in the loop.
     *
     * @param timeoutNanos a call that lasts longer is interrupted, one that lasts twice as long
     *     given up
     */
    synchronized Look look(long nanoTime, long timeoutNanos) {
        int at = inCall == null ? -1 : decisions.size();
        if (at != seen || at < 0) {
            seen = at;
            seenSinceNanos = nanoTime;
            return Look.WELL;
        }
        long lasts = nanoTime - seenSinceNanos;
        if (lasts > 2 * timeoutNanos) {
            givenUp = true;
            return Look.GIVEN_UP;
        }
        Thread thread = inCall;
        if (lasts > timeoutNanos && thread != null) {
            interrupted = true;
            thread.interrupt();
            return Look.INTERRUPTED;
        }
        return Look.WELL;
    }
}
