package photon.registry.client;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.registry.api.CommitBatch;
import photon.registry.api.CommitOutcomes;

/** A call that commits many ids: a {@link Part} a shard, a byte an id. */
final class BatchCommit extends Call<CommitOutcomes> {
    private final Calls calls;
    private final CommitBatch batch;
    private final List<Part> parts = new ArrayList<>();

    /** A code of {@link Outcomes} an id. */
    private final byte[] codes;

    /** The holder's token at the place of each that is taken; null while none is. */
    private byte @Nullable [] holders;

    /** Ids without an answer. */
    private int open;

    BatchCommit(Calls calls, CommitBatch batch, Routing routing, long deadlineNanos) {
        super(deadlineNanos);
        this.calls = calls;
        this.batch = batch;
        this.codes = new byte[batch.size()];
        this.open = batch.size();
        for (Routing.Part part : routing.split(batch.ids())) {
            int[] places = part.places();
            int count = places == null ? codes.length : places.length;
            parts.add(new Part(part.slot(), places, 0, count, false));
        }
    }

    List<Part> parts() {
        return parts;
    }

    @Override
    void begin() {
        parts.forEach(part -> part.slot.lane().add(part));
    }

    @Override
    void turnAway(byte why) {
        parts.forEach(part -> part.slot.room().release(part.count()));
        refuse(why);
    }

    /** Ends it where nothing is taken up for it. */
    void refuse(byte why) {
        Arrays.fill(codes, why);
        complete(new PackedOutcomes(codes, null));
    }

    @Override
    void giveUp(byte why) {
        for (int i = 0; i < codes.length; i++) {
            if (codes[i] == Outcomes.WAITING || codes[i] == Outcomes.SENT) {
                codes[i] = Outcomes.unanswered(codes[i], why);
            }
        }
        end();
    }

    private void end() {
        ended = true;
        calls.ended(this);
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
    }

    /** Ids of the batch that go to one shard together. */
    final class Part implements CommitWork {
        private final ShardSlot slot;

        /** Null: the places from {@code from} on are the batch's own. */
        private final int @Nullable [] places;

        private final int from;
        private final int to;

        /** True: a copy was sent and not answered, so any of it may be accepted, or may yet be. */
        private boolean copySent;

        Part(ShardSlot slot, int @Nullable [] places, int from, int to, boolean copySent) {
            this.slot = slot;
            this.places = places;
            this.from = from;
            this.to = to;
            this.copySent = copySent;
        }

        ShardSlot slot() {
            return slot;
        }

        private int place(int i) {
            return places == null ? from + i : places[from + i];
        }

        @Override
        public int count() {
            return to - from;
        }

        @Override
        public EventId id(int i) {
            return batch.ids().get(place(i));
        }

        @Override
        public void pack(ByteBuffer ids, ByteBuffer tokens) {
            if (places == null) {
                batch.ids().copyTo(ids, from, count());
                batch.copyTokensTo(tokens, from, count());
            } else {
                for (int i = from; i < to; i++) {
                    batch.ids().copyTo(ids, places[i], 1);
                    batch.copyTokensTo(tokens, places[i], 1);
                }
            }
        }

        @Override
        public boolean isEnded() {
            return ended;
        }

        @Override
        public void sent() {
            mark(Outcomes.SENT);
        }

        @Override
        public void refused() {
            if (!copySent) {
                mark(Outcomes.WAITING);
            }
        }

        /** None of its ids has an answer. */
        private void mark(byte code) {
            if (ended) {
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

        @Override
        public void unsure() {
            copySent = true;
        }

        @Override
        public void answer(int i, byte outcome, ByteBuffer holders, int at) {
            if (!ended) {
                byte code = (byte) (outcome + (copySent ? Outcomes.ASKED_AGAIN : 0));
                settle(place(i), code, holders, at);
            }
        }

        @Override
        public void left(int ids) {
            slot.room().release(ids);
            if (!ended && open == 0) {
                end();
            }
        }

        @Override
        public CommitWork range(int first, int end) {
            return new Part(slot, places, from + first, from + end, copySent);
        }

        @Override
        public CommitWork at(int[] some) {
            int[] chosen = new int[some.length];
            for (int i = 0; i < some.length; i++) {
                chosen[i] = place(some[i]);
            }
            return new Part(slot, chosen, 0, chosen.length, copySent);
        }
    }
}
