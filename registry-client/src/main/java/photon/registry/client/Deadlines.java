package photon.registry.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import photon.core.loop.EventLoop;
import photon.registry.api.IdRegistry;

/**
 * The calls that have not ended. Those whose deadlines lie in the same {@link
 * IdRegistry.Options#DEADLINE_TICK tick} share a timer. Used in the loop.
 */
final class Deadlines {
    private static final long TICK_NANOS = IdRegistry.Options.DEADLINE_TICK.toNanos();

    private final Asking asking;
    private final Runnable someExpired;
    private final long beganNanos;
    private final TreeMap<Long, Tick> ticks = new TreeMap<>();

    /**
     * @param someExpired runs after deadlines have ended calls
     */
    Deadlines(Asking asking, Runnable someExpired) {
        this.asking = asking;
        this.someExpired = someExpired;
        this.beganNanos = asking.loop.nanoTime();
    }

    private record Tick(Set<Call<?>> calls, EventLoop.Cancellable timer) {}

    /** Ends the call when its deadline has passed, a tick late at most. */
    void add(Call<?> call) {
        long number = Math.floorDiv(call.deadlineNanos - beganNanos, TICK_NANOS) + 1;
        Tick tick = ticks.computeIfAbsent(number, this::tick);
        tick.calls.add(call);
        call.onEnd(() -> remove(number, tick, call));
    }

    private Tick tick(long number) {
        long dueNanos = beganNanos + number * TICK_NANOS;
        Duration delay = Duration.ofNanos(dueNanos - asking.loop.nanoTime());
        return new Tick(new LinkedHashSet<>(), asking.later(delay, () -> expire(number)));
    }

    private void remove(long number, Tick tick, Call<?> call) {
        tick.calls.remove(call);
        if (tick.calls.isEmpty() && ticks.remove(number, tick)) {
            tick.timer.cancel();
        }
    }

    private void expire(long number) {
        Tick due = ticks.get(number);
        if (due != null) {
            List.copyOf(due.calls).forEach(call -> call.giveUp(Outcomes.DEADLINE));
            someExpired.run();
        }
    }

    /** All that have not ended. */
    List<Call<?>> calls() {
        List<Call<?>> all = new ArrayList<>();
        ticks.values().forEach(tick -> all.addAll(tick.calls));
        return all;
    }
}
