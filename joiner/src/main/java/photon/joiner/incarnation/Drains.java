package photon.joiner.incarnation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import photon.core.crash.CrashPoint;
import photon.core.loop.EventLoop;
import photon.joiner.task.JoinTask;
import photon.joiner.task.JoinTaskContext;
import photon.joiner.task.TaskEnd;
import photon.registry.api.ControlClient;
import photon.registry.api.ControlClient.IncarnationState;

/**
 * The incarnations that take nothing new: each finishes what it has, publishes it, and is closed
 * clean, or ends when that takes too long (docs/protocol.md section 1). Meanwhile it renews. Owned
 * by the main loop.
 */
final class Drains {
    private final SlotIdentity slot;
    private final JoinTaskContext parts;
    private final ControlClient control;
    private final Listener listener;
    private final List<Drain> running = new ArrayList<>();

    private record Drain(LiveIncarnation live, List<EventLoop.Cancellable> bounds) {}

    /** Hears of the end of each, once. */
    @FunctionalInterface
    interface Listener {
        /**
         * @param clean false: the registry did not say that it is closed clean
         */
        void drained(LiveIncarnation live, boolean clean);
    }

    Drains(SlotIdentity slot, JoinTaskContext parts, ControlClient control, Listener listener) {
        this.slot = slot;
        this.parts = parts;
        this.control = control;
        this.listener = listener;
    }

    boolean isEmpty() {
        return running.isEmpty();
    }

    /** The one that began first. */
    Optional<LiveIncarnation> first() {
        return running.stream().map(Drain::live).findFirst();
    }

    List<LiveIncarnation> all() {
        return running.stream().map(Drain::live).toList();
    }

    /**
     * @param max so long it may take; then it ends, and repair does the rest
     */
    void begin(LiveIncarnation live, Duration max) {
        Drain drain = new Drain(live, new ArrayList<>());
        running.add(drain);
        bound(drain, max);
        live.task().drain(() -> finished(drain));
    }

    /** None may take longer than this from now on. */
    void bound(Duration max) {
        running.forEach(drain -> bound(drain, max));
    }

    private void bound(Drain drain, Duration max) {
        drain.bounds()
                .add(
                        parts.main()
                                .schedule(
                                        max,
                                        () ->
                                                drain.live()
                                                        .end(
                                                                TaskEnd.CLOSED,
                                                                "not drained in " + max)));
    }

    /**
     * It has ended before it was closed.
     *
     * @return null: it did not drain
     */
    @Nullable LiveIncarnation ended(JoinTask task) {
        for (Drain drain : running) {
            if (drain.live().task() == task) {
                remove(drain);
                return drain.live();
            }
        }
        return null;
    }

    private void finished(Drain drain) {
        if (!running.contains(drain)) {
            return;
        }
        parts.crashPoints().passed(CrashPoint.DRAINED);
        control.closeClean(slot.pipeline(), drain.live().incarnation())
                // In a task of its own: a bug in it must not end in the future.
                .whenComplete((now, failure) -> parts.main().execute(() -> closed(drain, now)));
    }

    private void closed(Drain drain, @Nullable IncarnationState now) {
        if (running.contains(drain)) {
            remove(drain);
            drain.live().task().closedClean();
            listener.drained(drain.live(), now == IncarnationState.CLEAN);
        }
    }

    private void remove(Drain drain) {
        drain.bounds().forEach(EventLoop.Cancellable::cancel);
        drain.live().stopRenewals();
        running.remove(drain);
    }
}
