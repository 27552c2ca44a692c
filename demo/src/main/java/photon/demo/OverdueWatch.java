package photon.demo;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;
import photon.core.id.EventId;

/** Which events should have been published by now, and are not. Not thread-safe. */
final class OverdueWatch {
    private final long dueAfterMillis;
    private final Deque<Due> due = new ArrayDeque<>();
    private final Set<EventId> overdue = new HashSet<>();

    private record Due(EventId id, long atMillis) {}

    /**
     * @param dueAfterMillis how long after it can be joined an event is overdue
     */
    OverdueWatch(long dueAfterMillis) {
        this.dueAfterMillis = dueAfterMillis;
    }

    /** It can be joined since then. In order of time. */
    void expect(EventId id, long atMillis) {
        due.addLast(new Due(id, atMillis + dueAfterMillis));
    }

    /** How many are overdue. */
    int count(long nowMillis, Predicate<EventId> published) {
        overdue.removeIf(published);
        while (!due.isEmpty() && due.peekFirst().atMillis() <= nowMillis) {
            EventId id = due.removeFirst().id();
            if (!published.test(id)) {
                overdue.add(id);
            }
        }
        return overdue.size();
    }
}
