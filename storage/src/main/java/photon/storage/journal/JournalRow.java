package photon.storage.journal;

import org.jspecify.annotations.Nullable;
import photon.core.event.LogEvent;
import photon.core.id.CommitToken;
import photon.core.id.EventId;

/**
 * A foreign event that is to be tried again.
 *
 * @param insertedMillis when it first came, by the dispatcher's clock
 * @param dueMillis when to try it next
 * @param attempts tries that failed so far (waiting for the primary event counts apart: it is no
 *     error)
 * @param priority smallest first
 * @param reason why it is here, for people
 * @param attemptOpen true: an attempt at it was never answered, so it is tried without asking the
 *     registry first
 */
public record JournalRow(
        Key key,
        LogEvent event,
        long insertedMillis,
        long dueMillis,
        int attempts,
        int priority,
        String reason,
        boolean attemptOpen) {

    /**
     * @param lostToken a repair row's: it never merges with an ordinary row or with another lost
     *     token's
     */
    public record Key(EventId id, @Nullable CommitToken lostToken) {}
}
