package photon.dispatcher.flow;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Events that prefer another datacenter, until it is our turn: in bounded memory, without a row and
 * without the offset passing them (docs/protocol.md section 7). All wait equally long, so the first
 * in is the first out.
 */
final class HoldQueue {
    /** Bounds memory where events are large. */
    static final long WEIGHT_MAX = 96L << 20;

    private final ArrayDeque<Held> held = new ArrayDeque<>();
    private long weight;

    /** How many, from the first one on, no longer wait for their turn. */
    private int released;

    private record Held(PendingEvent pending, long turnNanos) {}

    void add(PendingEvent pending, long turnNanos) {
        held.add(new Held(pending, turnNanos));
        weight += pending.event.weight();
    }

    /** The next one whose turn has come; null if there is none. */
    @Nullable PendingEvent poll(long nanoTime) {
        Held first = held.peek();
        if (first == null || (released == 0 && first.turnNanos() - nanoTime > 0)) {
            return null;
        }
        held.remove();
        released = Math.max(0, released - 1);
        weight -= first.pending().event.weight();
        return first.pending();
    }

    /** It is the turn of all that are held now. */
    void release() {
        released = held.size();
    }

    /** How long until the first one's turn; -1 if nothing is held. */
    long waitNanos(long nanoTime) {
        Held first = held.peek();
        if (first == null) {
            return -1;
        }
        return released > 0 ? 0 : Math.max(0, first.turnNanos() - nanoTime);
    }

    long weight() {
        return weight;
    }

    int size() {
        return held.size();
    }

    void clear() {
        held.clear();
        weight = 0;
        released = 0;
    }
}
