package photon.idregistry.shard;

import static photon.core.error.Checks.check;

import photon.core.id.CommitToken;
import photon.idregistry.table.IdRow;
import photon.idregistry.table.IdTable;
import photon.proto.v1.Outcome;

/**
 * An id that was once held unmatched stays unmatched (docs/protocol.md section 3, The kind of a
 * join). Its event may have been joined once more since, as an upgrade, under a key that this shard
 * may not even own. If the id became free when its output was lost, the next attempt could join the
 * event with its primary event, beside that upgrade: twice.
 *
 * <p>So a remove leaves {@link CommitToken#JOIN_UNMATCHED} in the place of an unmatched token, and
 * only an unmatched token takes the id from there. Nobody holds such an id, but it has its row.
 */
final class OnceUnmatched {
    private OnceUnmatched() {}

    /** Ends the hold of the row's token, which the row was told just now is the holder. */
    static void remove(IdTable ids, IdRow row) {
        ids.remove(row);
        if (CommitToken.isUnmatched(row.sequence())) {
            row.set(CommitToken.JOIN_UNMATCHED);
            put(ids, row);
        }
    }

    /**
     * What becomes of an attempt whose id the row was told is another token's.
     *
     * @return {@link Outcome#ACCEPTED} if it has the id now, or {@link Outcome#TAKEN}
     */
    static int judge(IdTable ids, IdRow row) {
        if (!mayTakeOver(row)) {
            return Outcome.TAKEN_VALUE;
        }
        ids.remove(row);
        put(ids, row);
        return Outcome.ACCEPTED_VALUE;
    }

    /** Whether the row's token, an unmatched one, has the id for the asking. */
    static boolean mayTakeOver(IdRow row) {
        return row.isToBeUnmatched() && CommitToken.isUnmatched(row.sequence());
    }

    private static void put(IdTable ids, IdRow row) {
        check(ids.putIfAbsent(row), "Expected %s to be free once it was removed", row);
    }
}
