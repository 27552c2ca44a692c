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
     * What a row is about, too: its event was joined without its primary event, and nothing but the
     * count of those that came late, or their upgrade, hangs on it. Of a row that merges with
     * another one the smaller priority stands, so that what is to be joined is never taken for
     * joined. (The reason could not tell: an adapter may give any.)
     */
    public static final int WATCHED_PRIORITY = 2;

    /** Its event was joined without its primary event, and is only looked for. */
    public boolean isWatched() {
        return priority == WATCHED_PRIORITY;
    }

    /**
     * Its event is to be joined, as far as this row tells: neither was that done without the
     * primary event, nor is an upgrade of it all that was lost.
     */
    public boolean isOfEvent() {
        return !isWatched() && (key.lostToken() == null || !key.lostToken().isUpgrade());
    }

    /**
     * @param lostToken a repair row's: it never merges with an ordinary row or with another lost
     *     token's
     */
    public record Key(EventId id, @Nullable CommitToken lostToken) {}
}
