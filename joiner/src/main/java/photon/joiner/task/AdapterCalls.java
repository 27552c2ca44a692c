package photon.joiner.task;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import photon.core.error.BugException;
import photon.core.loop.EventLoop;
import photon.joiner.adapters.AdapterDecision;
import photon.joiner.adapters.PairAdapter;
import photon.joiner.rules.Attempt;
import photon.proto.v1.Event;
import photon.proto.v1.JoinResult.Status;

/**
 * Calls the adapter: the built-in one in the loop, a user's in the pool, a chunk of pairs a task.
 */
final class AdapterCalls {
    /** Enough to make the hand-over cheap, few enough to use the whole pool. */
    private static final int CHUNK_PAIRS = 32;

    private final EventLoop loop;
    private final PairAdapter adapter;
    private final Executor pool;
    private final Listener listener;

    AdapterCalls(EventLoop loop, PairAdapter adapter, Executor pool, Listener listener) {
        this.loop = loop;
        this.adapter = adapter;
        this.pool = pool;
        this.listener = listener;
    }

    /** Hears the decisions, in the loop. */
    interface Listener {
        /** The attempt may have been answered meanwhile. */
        void decided(Attempt attempt, AdapterDecision decision);

        void refused(Attempt attempt, Status status, String reason);
    }

    void join(List<PrimaryLookups.Found> pairs) {
        if (adapter.runsInline()) {
            for (PrimaryLookups.Found pair : pairs) {
                listener.decided(pair.attempt(), join(pair));
            }
            return;
        }
        for (int from = 0; from < pairs.size(); from += CHUNK_PAIRS) {
            handOver(pairs.subList(from, Math.min(from + CHUNK_PAIRS, pairs.size())));
        }
    }

    private void handOver(List<PrimaryLookups.Found> chunk) {
        try {
            pool.execute(
                    () -> {
                        List<AdapterDecision> decisions = new ArrayList<>(chunk.size());
                        try {
                            for (PrimaryLookups.Found pair : chunk) {
                                decisions.add(join(pair));
                            }
                        } catch (Throwable bug) {
                            loop.execute(() -> broken(bug));
                            return;
                        }
                        loop.execute(() -> decided(chunk, decisions));
                    });
        } catch (RejectedExecutionException e) {
            for (PrimaryLookups.Found pair : chunk) {
                listener.refused(
                        pair.attempt(), Status.RESOURCE_EXHAUSTED, "too many adapter calls wait");
            }
        }
    }

    /** In the loop, whose bug handler hears of it: else the chunk would never be answered. */
    private static void broken(Throwable bug) {
        throw new BugException("The adapter's thread met what must not happen", bug);
    }

    /** Reads only what never changes in an attempt: may run outside the loop. */
    private AdapterDecision join(PrimaryLookups.Found pair) {
        Event primary = pair.primary();
        return adapter.join(
                pair.attempt().event(),
                pair.attempt().id().micros(),
                primary,
                primary.getId().asReadOnlyByteBuffer().getLong());
    }

    private void decided(List<PrimaryLookups.Found> chunk, List<AdapterDecision> decisions) {
        for (int i = 0; i < chunk.size(); i++) {
            listener.decided(chunk.get(i).attempt(), decisions.get(i));
        }
    }
}
