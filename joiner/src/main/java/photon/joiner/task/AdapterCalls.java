package photon.joiner.task;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.config.DurationText;
import photon.core.error.BugException;
import photon.core.id.EventId;
import photon.core.loop.EventLoop;
import photon.joiner.adapters.AdapterDecision;
import photon.joiner.adapters.PairAdapter;
import photon.joiner.rules.Attempt;
import photon.proto.v1.Event;
import photon.proto.v1.JoinResult.Status;

/**
 * Calls the adapter: the built-in one in the loop, a user's in the pool, a chunk of pairs a task. A
 * call that takes too long is interrupted; one that does not heed that is given up, and another
 * thread takes the place of its own.
 */
final class AdapterCalls {
    private static final Logger log = LoggerFactory.getLogger(AdapterCalls.class);

    /** Enough to make the hand-over cheap, few enough to use the whole pool. */
    private static final int CHUNK_PAIRS = 32;

    /** Of an adapter that takes many at a time. */
    private static final int BATCH_PAIRS = 128;

    /**
     * More calls that were given up and still run, whichever incarnation made them, say that a new
     * process is needed.
     */
    static final int GIVEN_UP_MAX = 16;

    private static final int LOOKS_A_TIMEOUT = 8;

    private final EventLoop loop;
    private final PairAdapter adapter;
    private final AdapterThreads pool;
    private final Duration timeout;
    private final Listener listener;
    private final Set<AdapterChunk> running = new LinkedHashSet<>();
    private EventLoop.@Nullable Cancellable nextLook;

    /**
     * @param timeout of one call; zero: none
     */
    AdapterCalls(
            EventLoop loop,
            PairAdapter adapter,
            AdapterThreads pool,
            Duration timeout,
            Listener listener) {
        this.loop = loop;
        this.adapter = adapter;
        this.pool = pool;
        this.timeout = timeout;
        this.listener = listener;
    }

    /** Hears the decisions, in the loop. */
    interface Listener {
        /** The attempt may have been answered meanwhile. */
        void decided(Attempt attempt, AdapterDecision decision);

        void refused(Attempt attempt, Status status, String reason);

        /** Too many calls hang: only a new process helps. */
        void tooManyDoNotEnd(String message);
    }

    void join(List<PrimaryLookups.Found> pairs) {
        if (adapter.runsInline()) {
            for (PrimaryLookups.Found pair : pairs) {
                listener.decided(pair.attempt(), join(pair));
            }
            return;
        }
        int chunk = adapter.bounds() ? BATCH_PAIRS : CHUNK_PAIRS;
        for (int from = 0; from < pairs.size(); from += chunk) {
            handOver(pairs.subList(from, Math.min(from + chunk, pairs.size())));
        }
    }

    private void handOver(List<PrimaryLookups.Found> pairs) {
        AdapterChunk chunk =
                new AdapterChunk(
                        pairs,
                        "the adapter took longer than adapter.timeout, "
                                + DurationText.of(timeout));
        try {
            pool.execute(() -> run(chunk));
        } catch (RejectedExecutionException e) {
            for (PrimaryLookups.Found pair : pairs) {
                listener.refused(
                        pair.attempt(), Status.RESOURCE_EXHAUSTED, "too many adapter calls wait");
            }
            return;
        }
        if (!timeout.isZero()) {
            running.add(chunk);
            lookLater();
        }
    }

    /** In the adapter's thread. */
    private void run(AdapterChunk chunk) {
        try {
            if (adapter.bounds()) {
                joinAll(chunk);
                loop.execute(() -> decided(chunk));
                return;
            }
            for (PrimaryLookups.Found pair : chunk.pairs()) {
                chunk.callBegins();
                if (!chunk.callEnded(join(pair))) {
                    loop.execute(pool::dropOne);
                    return;
                }
            }
        } catch (Throwable bug) {
            loop.execute(() -> broken(bug));
            return;
        }
        loop.execute(() -> decided(chunk));
    }

    /** The adapter itself keeps to the timeout. */
    private void joinAll(AdapterChunk chunk) {
        List<AdapterDecision> decisions =
                adapter.joinAll(chunk.pairs().stream().map(AdapterCalls::pair).toList());
        for (AdapterDecision decision : decisions) {
            chunk.callBegins();
            boolean unused = chunk.callEnded(decision);
        }
    }

    private static PairAdapter.PairOfEvents pair(PrimaryLookups.Found found) {
        Event foreign = found.attempt().event();
        long micros = found.attempt().id().micros();
        Event primary = found.primary();
        return primary == null
                ? PairAdapter.PairOfEvents.unmatched(foreign, micros)
                : new PairAdapter.PairOfEvents(
                        foreign,
                        micros,
                        primary,
                        EventId.micros(primary.getId()),
                        found.attempt().isUpgrade());
    }

    /** In the loop, whose bug handler hears of it: else the chunk would never be answered. */
    private static void broken(Throwable bug) {
        throw new BugException("The adapter's thread met what must not happen", bug);
    }

    /** Reads only what never changes in an attempt: may run outside the loop. */
    private AdapterDecision join(PrimaryLookups.Found pair) {
        Event foreign = pair.attempt().event();
        long micros = pair.attempt().id().micros();
        Event primary = pair.primary();
        if (primary == null) {
            return adapter.unmatched(foreign, micros);
        }
        long primaryMicros = EventId.micros(primary.getId());
        return pair.attempt().isUpgrade()
                ? adapter.upgrade(foreign, micros, primary, primaryMicros)
                : adapter.join(foreign, micros, primary, primaryMicros);
    }

    private void decided(AdapterChunk chunk) {
        running.remove(chunk);
        tell(chunk, chunk.decisions());
    }

    private void tell(AdapterChunk chunk, List<AdapterDecision> decisions) {
        for (int i = 0; i < decisions.size(); i++) {
            listener.decided(chunk.pairs().get(i).attempt(), decisions.get(i));
        }
    }

    private void lookLater() {
        if (nextLook == null) {
            nextLook = loop.schedule(timeout.dividedBy(LOOKS_A_TIMEOUT), this::look);
        }
    }

    private void look() {
        nextLook = null;
        for (AdapterChunk chunk : List.copyOf(running)) {
            if (chunk.look(loop.nanoTime(), timeout.toNanos()) == AdapterChunk.Look.GIVEN_UP) {
                giveUp(chunk);
            }
        }
        if (!running.isEmpty()) {
            lookLater();
        }
    }

    /** What was decided counts, the pair that it hangs at is a retry, the others begin anew. */
    private void giveUp(AdapterChunk chunk) {
        running.remove(chunk);
        int givenUp = pool.replaceOne();
        List<AdapterDecision> decisions = new ArrayList<>(chunk.decisions());
        int hangsAt = decisions.size();
        log.error(
                "The adapter has not ended for {} after {}, and does not heed an interruption: its thread is replaced, {} so far",
                chunk.pairs().get(hangsAt).attempt().event().getIdText(),
                DurationText.of(timeout.multipliedBy(2)),
                givenUp);
        decisions.add(
                new AdapterDecision.Retry(
                        "the adapter did not end, nor heed an interruption after adapter.timeout, "
                                + DurationText.of(timeout)));
        tell(chunk, decisions);
        if (givenUp > GIVEN_UP_MAX) {
            listener.tooManyDoNotEnd(
                    "%s calls of the adapter have not ended within twice adapter.timeout, %s, and do not heed an interruption"
                            .formatted(givenUp, DurationText.of(timeout)));
            return;
        }
        List<PrimaryLookups.Found> rest =
                chunk.pairs().subList(hangsAt + 1, chunk.pairs().size()).stream()
                        .filter(pair -> !pair.attempt().isAnswered())
                        .toList();
        if (!rest.isEmpty()) {
            handOver(rest);
        }
    }
}
