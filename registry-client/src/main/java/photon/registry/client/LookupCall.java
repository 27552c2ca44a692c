package photon.registry.client;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.IntConsumer;
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
    private final IntConsumer left;
    private final byte[] found;

    /** The holder's token at the place of each id that is held; null while none is. */
    private byte @Nullable [] holders;

    /** Ids without an answer. */
    private int open;

    private int held;

    /**
     * @param left told how many ids take up room no longer
     */
    LookupCall(IdBatch ids, Freshness freshness, long deadlineNanos, IntConsumer left) {
        super(deadlineNanos);
        this.ids = ids;
        this.freshness = freshness;
        this.left = left;
        this.found = new byte[ids.size()];
        this.open = ids.size();
    }

    @Override
    void begin(ShardRouter router) {
        router.ask(this);
    }

    /** What a lookup without an answer fails with. */
    static RegistryUnavailableException failure(byte why) {
        return new RegistryUnavailableException(
                switch (why) {
                    case Outcomes.CLOSED -> "The client is closed";
                    case Outcomes.NO_ROOM -> "Too many lookups are outstanding";
                    default -> "No registry server answered a lookup in time";
                });
    }

    @Override
    void giveUp(byte why) {
        fail(failure(why));
    }

    void fail(String why) {
        fail(new RegistryUnavailableException(why));
    }

    private void fail(RegistryUnavailableException why) {
        end();
        left.accept(ids.size());
        completeExceptionally(why);
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
            end();
            left.accept(ids.size());
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
    public boolean isUnmatched(int i) {
        return found[i] == HELD
                && CommitToken.isUnmatched(
                        ByteBuffer.wrap(Objects.requireNonNull(holders))
                                .getLong(i * CommitToken.BYTES + Long.BYTES));
    }

    @Override
    public int held() {
        return held;
    }
}
