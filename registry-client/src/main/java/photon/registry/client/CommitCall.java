package photon.registry.client;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.registry.api.CommitBatch;
import photon.registry.api.CommitOutcomes;
import photon.registry.api.IdBatch;

/**
 * Commits that were asked for together. A {@link ShardCommitQueue} queues, sends and asks again one
 * {@link Part} per shard, and the call keeps a byte per id: what it would come to if it ended now.
 */
final class CommitCall extends Call<CommitOutcomes> {
    private final CommitBatch batch;
    private final Listener listener;
    private final IntConsumer left;

    /** A code of {@link Outcomes} per id. */
    private final byte[] codes;

    /** The holder's token at the place of each id that is taken; null while none is. */
    private byte @Nullable [] holders;

    /** Ids without an answer. */
    private int open;

    private boolean begun;

    /**
     * @param listener told of each id at once; the future tells of all of them together
     * @param left told how many ids take up room no longer: they are answered, or are under way no
     *     more
     */
    CommitCall(CommitBatch batch, long deadlineNanos, Listener listener, IntConsumer left) {
        super(deadlineNanos);
        this.batch = batch;
        this.listener = listener;
        this.left = left;
        this.codes = new byte[batch.size()];
        this.open = codes.length;
    }

    /** Hears of definite answers, in the loop. */
    interface Listener {
        /**
         * @param place in the batch
         * @param code of {@link Outcomes}, a definite one
         * @param holders where the holder's token stands at the index {@code at}, with TAKEN
         */
        void answered(int place, byte code, ByteBuffer holders, int at);
    }

    @Override
    void begin(ShardRouter router) {
        begun = true;
        router.route(new Part(null, 0, codes.length, false));
    }

    @Override
    void giveUp(byte why) {
        for (int i = 0; i < codes.length; i++) {
            if (codes[i] == Outcomes.WAITING || codes[i] == Outcomes.SENT) {
                codes[i] = Outcomes.unanswered(codes[i], why);
            }
        }
        if (!begun) {
            left.accept(codes.length);
        }
        complete();
    }

    private void complete() {
        end();
        complete(new PackedOutcomes(codes, holders));
    }

    private void settle(int place, byte code, ByteBuffer packed, int at) {
        codes[place] = code;
        open--;
        if (Outcomes.isTaken(code)) {
            if (holders == null) {
                holders = new byte[codes.length * CommitToken.BYTES];
            }
            packed.get(at, holders, place * CommitToken.BYTES, CommitToken.BYTES);
        }
        listener.answered(place, code, packed, at);
    }

    /** Ids of the batch that go to one shard together. */
    final class Part {
        /** Null: the places from {@code from} on are the batch's own. */
        private final int @Nullable [] places;

        private final int from;
        private final int to;

        /** True: a copy was sent and not answered, so any of it may be accepted, or may yet be. */
        private boolean copySent;

        private Part(int @Nullable [] places, int from, int to, boolean copySent) {
            this.places = places;
            this.from = from;
            this.to = to;
            this.copySent = copySent;
        }

        int count() {
            return to - from;
        }

        private int place(int i) {
            return places == null ? from + i : places[from + i];
        }

        EventId id(int i) {
            return batch.ids().get(place(i));
        }

        /** Appends all ids to one buffer and all tokens to the other. */
        void pack(ByteBuffer ids, ByteBuffer tokens) {
            if (places == null) {
                pack(from, count(), ids, tokens);
            } else {
                for (int i = from; i < to; i++) {
                    pack(places[i], 1, ids, tokens);
                }
            }
        }

        private void pack(int first, int count, ByteBuffer ids, ByteBuffer tokens) {
            batch.ids().copyTo(ids, first, count);
            batch.copyTokensTo(tokens, first, count);
        }

        /** True if nobody waits for it any more: it is not sent (again). */
        boolean isEnded() {
            return hasEnded();
        }

        /** It is being sent: whatever is not known of it from now on may be committed. */
        void sent() {
            mark(Outcomes.SENT);
        }

        /** What was sent last was surely not carried out. */
        void refused() {
            if (!copySent) {
                mark(Outcomes.WAITING);
            }
        }

        /** None of its ids has an answer. */
        private void mark(byte code) {
            if (isEnded()) {
                return;
            }
            if (places == null) {
                Arrays.fill(codes, from, to, code);
            } else {
                for (int i = from; i < to; i++) {
                    codes[places[i]] = code;
                }
            }
        }

        /** What was sent last may have been carried out, or may yet be. */
        void unsure() {
            copySent = true;
        }

        /**
         * A definite answer to one of its ids.
         *
         * @param outcome an {@link photon.proto.v1.Outcome} number
         * @param holders where the holder's token stands at the index {@code at}, with TAKEN
         */
        void answer(int i, byte outcome, ByteBuffer holders, int at) {
            if (!isEnded()) {
                byte code = (byte) (outcome + (copySent ? Outcomes.ASKED_AGAIN : 0));
                settle(place(i), code, holders, at);
            }
        }

        /**
         * So many of its ids are out of the commitQueue: answered, or dropped since nobody waits
         * for them.
         */
        void left(int ids) {
            left.accept(ids);
            if (!isEnded() && open == 0) {
                complete();
            }
        }

        /** The ids from one place to before another, as a part of its own; this one is used up. */
        Part range(int first, int end) {
            return new Part(places, from + first, from + end, copySent);
        }

        /** The ids at these places, as a part of its own; this one is used up. */
        Part at(int[] some) {
            int[] chosen = new int[some.length];
            for (int i = 0; i < some.length; i++) {
                chosen[i] = place(some[i]);
            }
            return ofPlaces(chosen);
        }

        /** What the ids are places in. */
        IdBatch idsOfCall() {
            return batch.ids();
        }

        /** The places of the ids in the call; null: all of them. */
        int @Nullable [] placesInCall() {
            if (places == null && count() == codes.length) {
                return null;
            }
            int[] own = new int[count()];
            for (int i = 0; i < own.length; i++) {
                own[i] = place(i);
            }
            return own;
        }

        /**
         * Some of the ids as a part of its own; this one is used up.
         *
         * @param some places in the call; null: all of them
         */
        Part ofPlaces(int @Nullable [] some) {
            return some == null ? this : new Part(some, 0, some.length, copySent);
        }
    }
}
