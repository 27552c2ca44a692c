package photon.registry.client;

import static photon.core.error.Checks.check;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.registry.api.CommitOutcome;

/** A call that commits one id. */
final class SingleCommit extends Call<CommitOutcome> implements CommitWork {
    private final Calls calls;
    private final ShardSlot slot;
    private final EventId id;
    private final CommitToken token;

    /** A code of {@link Outcomes}. */
    private byte code = Outcomes.WAITING;

    private @Nullable CommitToken holder;

    /** True: a copy was sent and not answered, so it may be accepted, or may yet be. */
    private boolean copySent;

    SingleCommit(Calls calls, ShardSlot slot, EventId id, CommitToken token, long deadlineNanos) {
        super(deadlineNanos);
        this.calls = calls;
        this.slot = slot;
        this.id = id;
        this.token = token;
    }

    @Override
    void begin() {
        slot.lane().add(this);
    }

    @Override
    void turnAway(byte why) {
        slot.room().release();
        complete(Outcomes.of(why, null));
    }

    @Override
    void giveUp(byte why) {
        code = Outcomes.unanswered(code, why);
        end();
    }

    private void end() {
        ended = true;
        calls.ended(this);
        complete(Outcomes.of(code, holder));
    }

    @Override
    public int count() {
        return 1;
    }

    @Override
    public EventId id(int i) {
        return id;
    }

    @Override
    public void pack(ByteBuffer ids, ByteBuffer tokens) {
        id.write(ids);
        token.write(tokens);
    }

    @Override
    public boolean isEnded() {
        return ended;
    }

    @Override
    public void sent() {
        code = Outcomes.SENT;
    }

    @Override
    public void refused() {
        if (!ended && !copySent) {
            code = Outcomes.WAITING;
        }
    }

    @Override
    public void unsure() {
        copySent = true;
    }

    @Override
    public void answer(int i, byte outcome, ByteBuffer holders, int at) {
        if (!ended) {
            code = (byte) (outcome + (copySent ? Outcomes.ASKED_AGAIN : 0));
            holder = Outcomes.isTaken(code) ? Outcomes.token(holders, at) : null;
        }
    }

    @Override
    public void left(int ids) {
        slot.room().release(ids);
        if (!ended && ids > 0) {
            end();
        }
    }

    @Override
    public CommitWork range(int from, int to) {
        check(from == 0 && to == 1, "Expected one commit, but %s to %s are wanted", from, to);
        return this;
    }

    @Override
    public CommitWork at(int[] places) {
        check(places.length == 1, "Expected one commit, but %s are wanted", places.length);
        return this;
    }
}
