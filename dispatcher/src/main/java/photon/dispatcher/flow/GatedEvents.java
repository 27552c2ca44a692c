package photon.dispatcher.flow;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.function.Consumer;
import photon.dispatcher.rules.FrontierGate;

/**
 * Events that were read and wait for the event store to come as far: in bounded memory, without a
 * row and without the offset passing them (docs/protocol.md section 7). Main loop.
 */
final class GatedEvents {
    private final FrontierGate gate = new FrontierGate();
    private final ArrayDeque<Gated> waiting = new ArrayDeque<>();
    private Duration waitMax = FrontierGate.WAIT_MAX;
    private boolean moved;

    private record Gated(PendingEvent pending, long readNanos) {}

    /**
     * @param passed takes it if it need not wait
     */
    void add(PendingEvent pending, long nanoTime, Consumer<PendingEvent> passed) {
        if (gate.passes(pending.event.id().micros(), 0)) {
            passed.accept(pending);
        } else {
            waiting.add(new Gated(pending, nanoTime));
        }
    }

    /** No event waits for longer. */
    void waitMax(Duration most) {
        waitMax = most;
    }

    /** The event store has come on, or back. */
    void unreadFrom(long micros) {
        gate.unreadFrom(micros);
        moved = true;
    }

    /** Hands on, in the order read, what need not wait any more. */
    void release(long nanoTime, Consumer<PendingEvent> passed) {
        if (!moved && waitNanos(nanoTime) != 0) {
            return;
        }
        moved = false;
        for (Iterator<Gated> all = waiting.iterator(); all.hasNext(); ) {
            Gated next = all.next();
            long waited = nanoTime - next.readNanos();
            if (gate.passes(next.pending().event.id().micros(), waited, waitMax)) {
                all.remove();
                passed.accept(next.pending());
            }
        }
    }

    /** How long until the first has waited for long enough; -1 if none waits. */
    long waitNanos(long nanoTime) {
        Gated first = waiting.peek();
        return first == null ? -1 : Math.max(0, first.readNanos() + waitMax.toNanos() - nanoTime);
    }

    int size() {
        return waiting.size();
    }

    void clear() {
        waiting.clear();
    }
}
