package photon.dispatcher.flow;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import photon.dispatcher.rules.IntakeRoom;

/**
 * Events of one kind on their way in: those of files that are read live, or those of files with a
 * backlog. Each kind waits apart, so that neither stands in the other's way. Main loop.
 */
final class IntakeQueue {
    final HoldQueue hold = new HoldQueue();
    final GatedEvents gated = new GatedEvents();
    final ArrayDeque<PendingEvent> ready = new ArrayDeque<>();

    /** Events that wait for a checkpoint that names their file. */
    int unnamed;

    /** Of events that were read, but for those that are held. */
    long weight;

    /** Events that {@link #next} gave and that are not done. */
    int onTheirWay;

    IntakeRoom.Load load(long ranges) {
        return new IntakeRoom.Load(
                hold.size(), hold.weight(), unnamed + gated.size(), ready.size(), weight, ranges);
    }

    /**
     * Whether there is an event whose turn it is.
     *
     * @param holdNanos of the clock by which those that are held wait
     */
    boolean hasNext(long holdNanos) {
        return !ready.isEmpty() || hold.waitNanos(holdNanos) == 0;
    }

    /** The next event whose turn it is; null if there is none. */
    @Nullable PendingEvent next(long holdNanos) {
        PendingEvent next = hold.poll(holdNanos);
        if (next != null) {
            weight += next.event.weight();
        } else {
            next = ready.poll();
        }
        onTheirWay += next == null ? 0 : 1;
        return next;
    }

    void done(PendingEvent pending) {
        weight -= pending.event.weight();
        onTheirWay--;
    }

    void clear() {
        unnamed = 0;
        gated.clear();
        hold.clear();
        ready.clear();
    }
}
