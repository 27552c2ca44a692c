package photon.registry.client;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.registry.api.IdBatch;
import photon.registry.api.IdRegistry.Freshness;
import photon.registry.api.LookupAnswers;
import photon.registry.api.RegistryClient.Found;
import photon.registry.api.RegistryUnavailableException;

/** A call that looks ids up, and what it has found: a byte an id, and the holders' tokens. */
final class LookupCall extends Call<LookupAnswers> implements LookupAnswers {
    static final byte ABSENT = 0;
    static final byte HELD = 1;
    static final byte TOO_OLD = 2;
    static final byte WRONG_SHARD = 3;

    final IdBatch ids;
    final Freshness freshness;
    private final Calls calls;
    private final SharedLookups lookups;
    private final Semaphore room;
    private final byte[] found;

    /** At the place of each that is held; null while none is. */
    private byte @Nullable [] holders;

    /** Ids without an answer. */
    private int open;

    private int held;

    LookupCall(
            SharedLookups lookups,
            Calls calls,
            Semaphore room,
            IdBatch ids,
            Freshness freshness,
            long deadlineNanos) {
        super(deadlineNanos);
        this.lookups = lookups;
        this.calls = calls;
        this.room = room;
        this.ids = ids;
        this.freshness = freshness;
        this.found = new byte[ids.size()];
        this.open = ids.size();
    }

    @Override
    void begin() {
        lookups.begin(this);
    }

    @Override
    void turnAway(byte why) {
        room.release(ids.size());
        fail(why);
    }

    /** Ends it where nothing is taken up for it. */
    void fail(byte why) {
        completeExceptionally(
                new RegistryUnavailableException(
                        switch (why) {
                            case Outcomes.CLOSED -> "The client is closed";
                            case Outcomes.NO_ROOM -> "Too many lookups are outstanding";
                            default -> "No registry server answered a lookup in time";
                        }));
    }

    @Override
    void giveUp(byte why) {
        ended = true;
        calls.ended(this);
        turnAway(why);
    }

    void answer(int place, byte answer, ByteBuffer packed, int at) {
        open--;
        found[place] = answer;
        if (answer == HELD) {
            if (holders == null) {
                holders = new byte[found.length * CommitToken.BYTES];
            }
            packed.get(at, holders, place * CommitToken.BYTES, CommitToken.BYTES);
            held++;
        }
    }

    void endIfAnswered() {
        if (open == 0) {
            ended = true;
            calls.ended(this);
            room.release(ids.size());
            complete(this);
        }
    }

    @Override
    public int size() {
        return found.length;
    }

    @Override
    public Found.State state(int i) {
        return switch (found[i]) {
            case HELD -> Found.State.HELD;
            case TOO_OLD -> Found.State.TOO_OLD;
            default -> Found.State.ABSENT;
        };
    }

    @Override
    public @Nullable CommitToken holder(int i) {
        return found[i] == HELD
                ? Outcomes.token(
                        ByteBuffer.wrap(Objects.requireNonNull(holders)), i * CommitToken.BYTES)
                : null;
    }

    @Override
    public int held() {
        return held;
    }
}
