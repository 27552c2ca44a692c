package photon.registry.api;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.core.id.EventId;

/**
 * One component's client of one pipeline's shards. Used in the owner's event loop, where every
 * answer arrives too; futures are completed there, never from within the call.
 *
 * <p>Commits, removes and cancels are asked again, with the same token, until the answer is
 * definite, however long that takes: a lost connection, a time-out or a change of leader is never
 * reported as a failure. {@link #close} drops what waits: its futures are never completed.
 */
public interface RegistryClient extends AutoCloseable {
    /**
     * Commits a batch; ids are routed to their shards and merged with what else waits for these.
     * The caller bounds what it has in flight.
     *
     * @param asked told once an id, in any order
     */
    void commit(List<Commit> batch, CommitListener asked);

    /**
     * Asks the nearest replica's own state, stale perhaps: decides nothing but whether to bother.
     *
     * @return one answer an id, in order. Fails with {@link RegistryUnavailableException} if no
     *     replica answers soon: the caller then does without
     */
    CompletableFuture<List<Found>> lookupLocal(List<EventId> ids);

    /**
     * As {@link #lookupLocal}, with all that was decided before the call: costs the leaders of the
     * shards an entry, and needs a majority. Fails if there is no answer within half a minute.
     */
    CompletableFuture<List<Found>> lookupLinearizable(List<EventId> ids);

    /**
     * Removes each id if this token still holds it; the token's incarnation must be fenced. In
     * order of the batch.
     */
    CompletableFuture<List<RemoveResult>> remove(List<Commit> batch);

    /**
     * Ends tokens for good, each for the id that it was sent with, in order of the batch. Asked
     * again until there is an answer, like a commit; it may be asked any number of times. A caller
     * that cancels a token sends no commit of it from then on, whatever the answer is
     * (docs/protocol.md section 3, Cancel).
     */
    CompletableFuture<List<CancelResult>> cancel(List<Commit> batch);

    /**
     * The highest boundary that any shard has told this client; {@link Long#MIN_VALUE} before the
     * first.
     */
    long boundaryMicros();

    /**
     * The latest timestamp that a server let in when it last refused a later one as in the future;
     * {@link Long#MAX_VALUE} before the first. For people.
     */
    default long latestMicros() {
        return Long.MAX_VALUE;
    }

    /** All groups of all epochs, as the client knows them now. */
    List<Shard> shards();

    /** The shard that owns the id, by the map that the client knows now. */
    Shard shardOf(EventId id);

    @Override
    void close();

    /** An id and the token that is to hold it. */
    record Commit(EventId id, CommitToken token) {}

    /** A group: a shard of an epoch. */
    record Shard(int epoch, int number) implements Comparable<Shard> {
        @Override
        public int compareTo(Shard other) {
            int c = Integer.compare(epoch, other.epoch);
            return c != 0 ? c : Integer.compare(number, other.number);
        }
    }

    /** Definite answers to a commit. */
    enum CommitResult {
        /** The id is this token's: write it, once. */
        ACCEPTED,
        /**
         * Another token holds it; or nobody does, and only an unmatched token gets it: its holder
         * is {@link CommitToken#JOIN_UNMATCHED} then.
         */
        TAKEN,
        /** The token's incarnation is fenced: write nothing, ever again, of it. */
        FENCED,
        /** Below the replicated boundary. */
        ID_TOO_OLD,
        /** Its timestamp is later than the clock allows; not committed. */
        ID_IN_FUTURE,
        /** The token was cancelled before: it does not hold the id and never will. */
        CANCELLED
    }

    /** Hears the answers of a commit. */
    interface CommitListener {
        /**
         * @param holder with TAKEN: who holds the id
         * @param askedAgain true if the commit was sent more than once: an earlier copy may have
         *     been accepted, or may yet be
         */
        void answered(
                Commit commit,
                CommitResult result,
                @Nullable CommitToken holder,
                boolean askedAgain);
    }

    /**
     * What a replica holds of an id.
     *
     * @param holder null unless it is held
     */
    record Found(State state, @Nullable CommitToken holder) {
        /** It is held by a token that says that it joins the event without its primary event. */
        public boolean isUnmatched() {
            return holder != null && holder.isUnmatched();
        }

        /** Answers of a lookup. */
        public enum State {
            ABSENT,
            HELD,
            TOO_OLD
        }
    }

    /** Definite answers to a cancel. */
    enum CancelResult {
        /** This very token holds the id: as after {@link CommitResult#ACCEPTED}. */
        HELD,
        /** The token does not hold the id and never will. */
        CANCELLED,
        /** The token's incarnation is fenced: write nothing, ever again, of it. */
        FENCED,
        /**
         * The shard remembers as many tokens of the slot as it may. Nothing happened; only a new
         * incarnation, whose registration fences this one, helps.
         */
        CANCEL_FULL
    }

    /** Definite answers to a remove. */
    enum RemoveResult {
        /** This token does not hold the id, whether it did before or not. */
        REMOVED,
        /** The shard itself does not have the token's incarnation fenced: try again later. */
        NOT_FENCED,
        ID_TOO_OLD
    }
}
