package photon.idregistry.shard;

import java.nio.ByteBuffer;
import photon.core.id.CommitToken;
import photon.idregistry.table.IdRow;
import photon.idregistry.table.IdTable;
import photon.proto.v1.Outcome;
import photon.proto.v1.RemoveOutcome;
import photon.proto.v1.Stamp;

/**
 * Takes ids from tokens whose output is lost (docs/protocol.md section 6). Owned by the {@link
 * ShardState} whose parts it reads.
 */
final class RemoveRule {
    private final IdTable ids;
    private final FenceTable fences;
    private final Ownership ownership;
    private final RemovalLog removals;

    RemoveRule(IdTable ids, FenceTable fences, Ownership ownership, RemovalLog removals) {
        this.ids = ids;
        this.fences = fences;
        this.ownership = ownership;
        this.removals = removals;
    }

    /**
     * Applies a REMOVE entry.
     *
     * @param row is filled anew for each id
     * @return one {@link RemoveOutcome} number a byte
     */
    byte[] apply(long index, Stamp stamp, ByteBuffer in, IdRow row, long boundaryMicros) {
        int count = ShardEntries.packedCount(in);
        ByteBuffer tokens = ShardEntries.tokensBehind(in, count);
        byte[] outcomes = new byte[count];
        int slot = 0;
        int generation = 0;
        long removed = 0;
        for (int i = 0; i < count; i++) {
            row.readId(in);
            row.readToken(tokens);
            if (row.slot() != slot || row.generation() != generation) {
                removals.add(index, stamp, slot, generation, removed);
                removed = 0;
                slot = row.slot();
                generation = row.generation();
            }
            RemoveOutcome outcome = judge(row, boundaryMicros);
            if (outcome == RemoveOutcome.REMOVED && ids.find(row) && row.isHolder()) {
                OnceUnmatched.remove(ids, row);
                removed++;
            }
            outcomes[i] = (byte) outcome.getNumber();
        }
        removals.add(index, stamp, slot, generation, removed);
        return outcomes;
    }

    /** The first rule that speaks wins. {@link CommitToken#JOIN_UNMATCHED} is never fenced. */
    private RemoveOutcome judge(IdRow row, long boundaryMicros) {
        // Also while it is prepared: the id may be held by a group of the new epoch already, and to
        // call it removed would leave it there.
        if (ownership.judge(row.micros(), row.hash()) != Outcome.ACCEPTED_VALUE) {
            return RemoveOutcome.REMOVE_WRONG_SHARD;
        }
        if (row.micros() < boundaryMicros) {
            return RemoveOutcome.REMOVE_TOO_OLD;
        }
        // A token that could still commit would take the id again behind the remove.
        if (!fences.forbids(row.slot(), row.generation())) {
            return RemoveOutcome.NOT_FENCED;
        }
        return RemoveOutcome.REMOVED;
    }
}
