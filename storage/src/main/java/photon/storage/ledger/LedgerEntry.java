package photon.storage.ledger;

import org.jspecify.annotations.Nullable;
import photon.core.id.EventId;

/**
 * What became of an event, or of a record, that did not get joined.
 *
 * @param id null for a record without a usable identity
 * @param idText for people; empty without an identity
 * @param reason for people, short: entries are counted by it
 * @param file where the record stands; empty if not known
 * @param offset where in the file; -1 if not known
 * @param content the event's JSON, or the first bytes of a bad record, as text: enough to replay it
 *     or to find it; of a write-off {@code {"token": the one that held it}}
 * @param atMillis when it was written, by the writer's clock
 */
public record LedgerEntry(
        Kind kind,
        @Nullable EventId id,
        String idText,
        String reason,
        String file,
        long offset,
        String content,
        long atMillis) {

    /** What became of it. */
    public enum Kind {
        /** A record without a usable identity. */
        BAD_RECORD,
        /** Can never be joined. */
        DEAD_LETTER,
        /** Left out on purpose: too old, skipped by the adapter. */
        SKIPPED,
        /** It may have been joined, and nobody can tell. */
        OUTCOME_LOST
    }
}
