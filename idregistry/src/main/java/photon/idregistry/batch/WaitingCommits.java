package photon.idregistry.batch;

import static photon.core.error.Checks.check;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Requests that wait for an entry, a queue a caller, taken in turns. A caller may hold no more than
 * is still free, so that one that floods leaves room for the others.
 *
 * @param <R> request
 */
final class WaitingCommits<R> {
    private int idsMax;

    /** In the order in which it is their turn. */
    private final LinkedHashMap<Object, Queue<R>> callers = new LinkedHashMap<>();

    private int ids;

    private record Item<R>(R request, int ids) {}

    private static final class Queue<R> {
        final ArrayDeque<Item<R>> items = new ArrayDeque<>();
        int ids;
    }

    WaitingCommits(int idsMax) {
        this.idsMax = idsMax;
    }

    int ids() {
        return ids;
    }

    /** From now on; what waits stays. */
    void limit(int newIdsMax) {
        idsMax = newIdsMax;
    }

    boolean isEmpty() {
        return callers.isEmpty();
    }

    /**
     * @return false if it does not fit
     */
    boolean add(Object caller, R request, int idCount) {
        Queue<R> queue = callers.get(caller);
        int held = queue == null ? 0 : queue.ids;
        if (held + idCount > idsMax - ids) {
            return false;
        }
        if (queue == null) {
            queue = new Queue<>();
            callers.put(caller, queue);
        }
        queue.items.add(new Item<>(request, idCount));
        queue.ids += idCount;
        ids += idCount;
        return true;
    }

    /**
     * Takes whole requests, one of each caller in turn, as long as they fit; at least one if any
     * waits, since no request is larger than the bound.
     */
    List<R> take(int idCountMax) {
        List<R> taken = new ArrayList<>();
        int room = idCountMax;
        while (!callers.isEmpty()) {
            Map.Entry<Object, Queue<R>> turn = callers.entrySet().iterator().next();
            Queue<R> queue = turn.getValue();
            Item<R> item = queue.items.element();
            if (item.ids > room) {
                // It keeps its turn, so that a large request is not passed over for ever.
                break;
            }
            queue.items.remove();
            queue.ids -= item.ids;
            ids -= item.ids;
            room -= item.ids;
            taken.add(item.request);
            callers.remove(turn.getKey());
            if (!queue.items.isEmpty()) {
                callers.put(turn.getKey(), queue);
            }
        }
        check(
                callers.isEmpty() || !taken.isEmpty(),
                "Expected a request of at most %s ids",
                idCountMax);
        return taken;
    }
}
