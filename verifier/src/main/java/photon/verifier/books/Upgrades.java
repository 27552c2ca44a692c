package photon.verifier.books;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import photon.core.id.EventId;

/**
 * Published upgrades, held against the events that they belong to: each must have such an event in
 * the foreign logs, and that must not be joined with its primary event besides (docs/protocol.md
 * section 13). Memory: an entry an upgrade. Not thread-safe.
 */
final class Upgrades {
    private final Set<EventId> keys = new HashSet<>();
    private final Set<EventId> withoutEvent = new HashSet<>();

    /** An upgrade's key in a manifest whose published file is as it says. */
    void published(EventId key) {
        keys.add(key);
    }

    /** How many are published. */
    int count() {
        return keys.size();
    }

    /** Hears of events that are counted twice, since they and their upgrade are both matched. */
    interface Twice {
        void matchedTwice(EventId event);
    }

    /** Goes over the foreign logs once more, unless there is no upgrade. */
    void compare(ForeignReading foreign, Accounts accounts, Twice twice) throws IOException {
        if (keys.isEmpty()) {
            return;
        }
        withoutEvent.addAll(keys);
        Set<EventId> told = new HashSet<>();
        foreign.forEachEvent(
                event -> {
                    EventId id = event.id();
                    EventId key = id.upgrade();
                    withoutEvent.remove(key);
                    if (keys.contains(key) && accounts.isJoinedMatched(id) && told.add(id)) {
                        twice.matchedTwice(id);
                    }
                });
    }

    /** Upgrades of events that no foreign log holds, once they were compared. */
    Set<EventId> withoutEvent() {
        return withoutEvent;
    }
}
