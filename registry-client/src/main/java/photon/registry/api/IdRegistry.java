package photon.registry.api;

import static photon.core.error.Checks.check;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;

/**
 * The ids of one pipeline, for any program: which attempt owns which id. A {@link RegistryClient}
 * with deadlines that any thread may call; calls from many threads are merged, shard by shard, into
 * requests over a few streams, so one client per process is enough. {@code docs/registry-client.md}
 * has a program.
 *
 * <p>Futures are completed in the client's own thread: do not block in what you hang on them, and
 * use {@code thenApplyAsync} and the like for long work. They never fail with an exception unless
 * told so here.
 */
public interface IdRegistry extends AutoCloseable {
    /**
     * Asks that the token hold the id, if it is free. Follows leaders and changes of the shard map,
     * and asks again, always with this token, until the answer is definite or the deadline has
     * passed. Nothing beneath it sends twice.
     *
     * <p>If as many ids are outstanding as may be ({@link Options#outstandingMax}), it is refused
     * at once or the caller waits, by {@link Options#whenFull}.
     *
     * @param token one an attempt, kept until the outcome is decided and used only to ask again
     * @param timeout from now on, waiting for room included; above 0
     * @return what it came to, by the deadline at the latest (give or take {@link
     *     Options#DEADLINE_TICK}); never fails
     */
    CompletableFuture<CommitOutcome> commit(EventId id, CommitToken token, Duration timeout);

    /**
     * The same for many ids, each on its own: some may be accepted and others not. Takes room for
     * all of them or none.
     *
     * @param batch at most {@link Options#outstandingMax} ids
     */
    CompletableFuture<CommitOutcomes> commit(CommitBatch batch, Duration timeout);

    /**
     * Asks who holds ids, of the nearest server that answers. Nothing is decided by it.
     *
     * @return fails with {@link RegistryUnavailableException} if no server answers in time
     */
    CompletableFuture<LookupAnswers> lookup(IdBatch ids, Freshness freshness, Duration timeout);

    /**
     * Reads what is held, shard by shard, each in id order, page by page: the next page is asked
     * for while {@code pages} has the last. A scan of a time also has ids that nobody holds and
     * that are to be joined unmatched, with {@link photon.core.id.CommitToken#JOIN_UNMATCHED} for a
     * holder.
     *
     * @return how many ids were read, when there are no more or the reader has had enough. Fails
     *     with what the reader threw, and with {@link RegistryUnavailableException} if no server
     *     gives a page within {@code pageTimeout}
     */
    CompletableFuture<Long> scan(Scan what, PageReader pages, Duration pageTimeout);

    /**
     * The highest boundary that any shard has told this client: older ids are refused. {@link
     * Long#MIN_VALUE} before the first.
     */
    long boundaryMicros();

    /** Commits asked for and not answered yet, of all shards. */
    long outstandingIds();

    /**
     * Takes no more commits, gives what is outstanding so long, and completes what is left then: as
     * {@link CommitOutcome.Unknown} if it was sent, as {@link CommitOutcome.NotSubmitted} if not.
     * Waits for it. Safe to call twice. Not from what hangs on a future.
     */
    void close(Duration drain);

    /** {@link #close(Duration)} with {@link Options#drain}. */
    @Override
    void close();

    /** How fresh a lookup or scan must be. */
    enum Freshness {
        /** As the server has it, stale perhaps. The quickest, also with a majority away. */
        LOCAL,
        /**
         * All that was decided before the call is seen. Costs the leader an entry; trusts no clock.
         */
        LINEARIZABLE
    }

    /** What to do with a commit for which there is no room. */
    enum WhenFull {
        /** {@link CommitOutcome.NotSubmitted} at once. */
        REFUSE,
        /** The calling thread waits, in line, until there is room or its deadline has passed. */
        WAIT
    }

    /**
     * @param outstandingMax ids, of all shards together, that may be asked for and not answered;
     *     bounds memory, and what a stop of the program leaves unknown
     * @param idsPerRequestMax ids of a request; no more than the servers put into one entry (4,096
     *     unless set otherwise there)
     * @param requestsInFlightMax requests of one shard under way at once: while there are fewer,
     *     one goes at once with what there is. Enough to cover a round trip; more only makes them
     *     smaller
     * @param lookupsOutstandingMax ids that may be looked up at once
     * @param drain how long {@link #close()} waits
     */
    record Options(
            int outstandingMax,
            WhenFull whenFull,
            int idsPerRequestMax,
            int requestsInFlightMax,
            int lookupsOutstandingMax,
            Duration drain) {
        /** How late a deadline may be noticed. */
        public static final Duration DEADLINE_TICK = Duration.ofMillis(10);

        public static final Options DEFAULTS =
                new Options(65_536, WhenFull.WAIT, 4_096, 8, 262_144, Duration.ofSeconds(10));

        public Options {
            above0("outstandingMax", outstandingMax);
            above0("idsPerRequestMax", idsPerRequestMax);
            above0("requestsInFlightMax", requestsInFlightMax);
            above0("lookupsOutstandingMax", lookupsOutstandingMax);
        }

        private static void above0(String name, int value) {
            check(value > 0, "Expected %s above 0, but got %s", name, value);
        }

        /** The same with other bounds of what is under way. */
        public Options with(int outstanding, WhenFull full) {
            return new Options(
                    outstanding,
                    full,
                    idsPerRequestMax,
                    requestsInFlightMax,
                    lookupsOutstandingMax,
                    drain);
        }

        /** The same with other requests. */
        public Options withRequests(int idsMax, int inFlightMax) {
            return new Options(
                    outstandingMax, whenFull, idsMax, inFlightMax, lookupsOutstandingMax, drain);
        }
    }

    /**
     * What to read.
     *
     * @param incarnation what its tokens hold; null: what anybody's hold
     * @param fromMicros ids of this timestamp and later
     * @param toMicros and before this one
     * @param freshness of the beginning; the rest is never older than what was read before
     */
    record Scan(
            @Nullable Incarnation incarnation,
            long fromMicros,
            long toMicros,
            Freshness freshness) {
        public static Scan ofIncarnation(Incarnation incarnation) {
            return new Scan(incarnation, 0, Long.MAX_VALUE, Freshness.LINEARIZABLE);
        }

        public static Scan ofTime(long fromMicros, long toMicros) {
            return new Scan(null, fromMicros, toMicros, Freshness.LINEARIZABLE);
        }
    }

    /** Takes pages of a scan. */
    @FunctionalInterface
    interface PageReader {
        /**
         * Called in the client's thread, one page after the other.
         *
         * @return completes with true for the next page, with false if it is enough
         */
        CompletionStage<Boolean> read(CommitBatch held);
    }
}
