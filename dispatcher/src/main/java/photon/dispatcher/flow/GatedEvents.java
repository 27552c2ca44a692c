package photon.dispatcher.flow;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.function.Consumer;
import photon.dispatcher.rules.Frontier;
import photon.dispatcher.rules.FrontierGate;

/**
 * Events that were read and wait for the event store to come as far: in bounded memory, without a
 * row and without the offset passing them (docs/protocol.md section 7). Main loop.
 */
final class GatedEvents {
    private final FrontierGate gate = new FrontierGate();
    private final ArrayDeque<Gated> waiting = new ArrayDeque<>();

    /** What the gate goes by has changed: when events go on at the latest is not known any more. */
    private boolean moved;

    /** When the first goes on, whatever is heard; of no use while none waits. */
    private long dueNanos;

    private record Gated(PendingEvent pending, long readNanos) {}

    /**
     * @param passed takes it if it need not wait
     */
    void add(PendingEvent pending, long nanoTime, Consumer<PendingEvent> passed) {
        if (gate.passes(pending.event.id().micros(), 0)) {
            passed.accept(pending);
        } else {
            Gated gated = new Gated(pending, nanoTime);
            dueNanos = waiting.isEmpty() ? dueNanos(gated) : sooner(dueNanos(gated));
            waiting.add(gated);
        }
    }

    /** {@link FrontierGate#waitMax}. */
    void waitMax(Duration most) {
        moved |= gate.waitMax(most);
    }

    /** The event store has come on, or back. */
    void heard(Frontier frontier) {
        gate.heard(frontier);
        moved = true;
    }

    /** Hands on, in the order read, what need not wait any more. */
    void release(long nanoTime, Consumer<PendingEvent> passed) {
        if (!moved && waitNanos(nanoTime) != 0) {
            return;
        }
        moved = false;
        boolean first = true;
        for (Iterator<Gated> all = waiting.iterator(); all.hasNext(); ) {
            Gated next = all.next();
            long waited = nanoTime - next.readNanos();
            if (gate.passes(next.pending().event.id().micros(), waited)) {
                all.remove();
                passed.accept(next.pending());
            } else {
                dueNanos = first ? dueNanos(next) : sooner(dueNanos(next));
                first = false;
            }
        }
    }

    /** The latest at which it goes on. */
    private long dueNanos(Gated gated) {
        return gated.readNanos() + gate.waitNanosMax(gated.pending().event.id().micros());
    }

    private long sooner(long nanos) {
        return nanos - dueNanos < 0 ? nanos : dueNanos;
    }

    /** How long until the first that waits goes on at the latest; -1 if none waits. */
    long waitNanos(long nanoTime) {
        if (waiting.isEmpty()) {
            return -1;
        }
        return moved ? 0 : Math.max(0, dueNanos - nanoTime);
    }

    int size() {
        return waiting.size();
    }

    void clear() {
        waiting.clear();
    }
}
