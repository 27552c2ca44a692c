package photon.idregistry.shard;

import static photon.core.error.Checks.check;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import photon.idregistry.table.IdRow;
import photon.idregistry.table.IdTable;
import photon.proto.v1.CancelOutcome;
import photon.proto.v1.Outcome;

/**
 * Judges cancels, and remembers the tokens that are cancelled: the shard accepts no commit of them
 * any more (docs/protocol.md section 3, Cancel). It knows no clock: a cancel adds no id. Owned by
 * the {@link ShardState} whose parts it reads.
 */
final class Cancellations {
    private final IdTable ids;
    private final FenceTable fences;
    private final Ownership ownership;
    private final CancelledTokens tokens = new CancelledTokens();

    Cancellations(IdTable ids, FenceTable fences, Ownership ownership) {
        this.ids = ids;
        this.fences = fences;
        this.ownership = ownership;
    }

    /**
     * Applies a CANCEL entry.
     *
     * @param row is filled anew for each id
     * @return one {@link CancelOutcome} number a byte
     */
    byte[] apply(ByteBuffer in, IdRow row, long boundaryMicros) {
        int perSlotMax = in.remaining() < Integer.BYTES ? -1 : in.getInt();
        check(perSlotMax > 0, "Expected a limit above 0, but got %s", perSlotMax);
        int count = ShardEntries.packedCount(in);
        ByteBuffer packedTokens = ShardEntries.tokensBehind(in, count);
        byte[] outcomes = new byte[count];
        for (int i = 0; i < count; i++) {
            row.readId(in);
            row.readToken(packedTokens);
            outcomes[i] = (byte) judge(row, boundaryMicros, perSlotMax).getNumber();
        }
        return outcomes;
    }

    /** The first rule that speaks wins. */
    private CancelOutcome judge(IdRow row, long boundaryMicros, int perSlotMax) {
        int owned = ownership.judge(row.micros(), row.hash());
        if (owned != Outcome.ACCEPTED_VALUE) {
            // Late copies go to the owner, and it is the owner who must remember.
            return owned == Outcome.WRONG_SHARD_VALUE
                    ? CancelOutcome.CANCEL_WRONG_SHARD
                    : CancelOutcome.CANCEL_EPOCH_PREPARED;
        }
        if (fences.forbids(row.slot(), row.generation())) {
            return CancelOutcome.CANCEL_FENCED;
        }
        // Below the boundary nobody holds an id, whether its row is dropped already or not.
        if (row.micros() >= boundaryMicros && ids.find(row) && row.isHolder()) {
            return CancelOutcome.CANCEL_HELD;
        }
        if (forbid(row)) {
            return CancelOutcome.CANCEL_DONE;
        }
        if (tokens.ofSlot(row.slot()) >= perSlotMax) {
            return CancelOutcome.CANCEL_FULL;
        }
        tokens.add(row.slot(), row.generation(), row.sequence());
        return CancelOutcome.CANCEL_DONE;
    }

    /** True if the row's token is cancelled: nothing is accepted of it. */
    boolean forbid(IdRow row) {
        return tokens.contains(row.slot(), row.generation(), row.sequence());
    }

    /**
     * Raises what an entry says, and forgets the tokens that this shard has fenced by that: not
     * before, since until then it would accept their late copies.
     */
    void raiseFences(ByteBuffer in) {
        fences.raise(in);
        tokens.dropFenced(fences);
    }

    int size() {
        return tokens.size();
    }

    int contentHash() {
        return tokens.contentHash();
    }

    void write(DataOutput out) throws IOException {
        tokens.write(out);
    }

    void read(DataInput in) throws IOException {
        tokens.read(in);
    }
}
