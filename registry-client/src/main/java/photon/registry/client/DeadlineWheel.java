package photon.registry.client;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The calls that have not ended, by deadline: a wheel of lists, so that a call costs neither a
 * timer nor a search. Used in the loop.
 */
final class DeadlineWheel {
    private static final int SLOTS = 512;

    private final long tickNanos;
    private final @Nullable Call<?>[] slots = new Call<?>[SLOTS];
    private long lastTick;
    private int size;

    /**
     * @param tickNanos how late a deadline may be noticed
     * @param now of the same clock as the deadlines
     */
    DeadlineWheel(long tickNanos, long now) {
        this.tickNanos = tickNanos;
        this.lastTick = Math.floorDiv(now, tickNanos);
    }

    int size() {
        return size;
    }

    void add(Call<?> call) {
        // The first tick that begins at or after the deadline; one that is past is seen next.
        long tick = Math.max(lastTick + 1, -Math.floorDiv(-call.deadlineNanos, tickNanos));
        int slot = (int) Math.floorMod(tick, (long) SLOTS);
        Call<?> first = slots[slot];
        call.wheelSlot = slot;
        call.previous = null;
        call.next = first;
        if (first != null) {
            first.previous = call;
        }
        slots[slot] = call;
        size++;
    }

    /** Does nothing if it is not in. */
    void remove(Call<?> call) {
        if (call.wheelSlot < 0) {
            return;
        }
        Call<?> before = call.previous;
        Call<?> behind = call.next;
        if (before == null) {
            slots[call.wheelSlot] = behind;
        } else {
            before.next = behind;
        }
        if (behind != null) {
            behind.previous = before;
        }
        call.wheelSlot = -1;
        call.previous = null;
        call.next = null;
        size--;
    }

    /** Takes out and hands over what is due by now. */
    void advance(long now, Consumer<Call<?>> due) {
        long tick = Math.floorDiv(now, tickNanos);
        // After a long pause every list is looked at once, not more.
        long from = Math.max(lastTick + 1, tick - SLOTS + 1);
        lastTick = Math.max(lastTick, tick);
        for (long t = from; t <= tick; t++) {
            takeDue((int) Math.floorMod(t, (long) SLOTS), now, due);
        }
    }

    private void takeDue(int slot, long now, Consumer<Call<?>> due) {
        Call<?> call = slots[slot];
        while (call != null) {
            Call<?> behind = call.next;
            if (call.deadlineNanos - now <= 0) {
                remove(call);
                due.accept(call);
            }
            call = behind;
        }
    }

    /** Takes out and hands over everything. */
    void takeAll(Consumer<Call<?>> taker) {
        for (int slot = 0; slot < SLOTS; slot++) {
            Call<?> call = slots[slot];
            while (call != null) {
                Call<?> behind = call.next;
                remove(call);
                taker.accept(call);
                call = behind;
            }
        }
    }
}
