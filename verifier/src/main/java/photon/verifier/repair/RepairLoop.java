package photon.verifier.repair;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.id.Incarnation;
import photon.core.loop.EventLoop;
import photon.registry.api.ControlClient.IncarnationInfo;
import photon.registry.api.ControlClient.IncarnationState;

/**
 * Looks at the control group's list, at start and then again and again, and repairs every
 * incarnation of this datacenter that is open and not live, one after another, whatever its slot
 * (docs/protocol.md section 1). Lives in its parts' loop.
 */
final class RepairLoop {
    private static final Logger log = LoggerFactory.getLogger(RepairLoop.class);

    private final RepairParts parts;
    private final String slotPrefix;
    private final Duration interval;
    private final Consumer<RepairStatus> told;
    private final RepairTroubles troubles;

    /** What the last look found open and not live, without what was repaired since. */
    private final TreeMap<Incarnation, IncarnationInfo> open = new TreeMap<>();

    private final Deque<IncarnationInfo> toTry = new ArrayDeque<>();
    private @Nullable IncarnationRepair running;
    private EventLoop.@Nullable Cancellable nextLook;
    private boolean looking;
    private boolean lookAgain;
    private boolean idle;
    private boolean closed;
    private int looksFailed;
    private long repairedEvents;
    private long outcomesLost;
    private long fullLooks;

    /**
     * @param slotPrefix which slots are this datacenter's, such as {@code east/}
     * @param told hears of every change
     */
    RepairLoop(
            RepairParts parts, String slotPrefix, Duration interval, Consumer<RepairStatus> told) {
        this.parts = parts;
        this.slotPrefix = slotPrefix;
        this.interval = interval;
        this.told = told;
        this.troubles = new RepairTroubles(parts.limits());
    }

    /** Looks now, or once more when the look that is under way has ended: something has changed. */
    void wake() {
        parts.loop().checkInLoop();
        idle = false;
        tell();
        look();
    }

    private void look() {
        if (closed) {
            return;
        }
        if (looking) {
            lookAgain = true;
            return;
        }
        looking = true;
        lookAgain = false;
        if (nextLook != null) {
            nextLook.cancel();
        }
        parts.control()
                .incarnations(parts.pipeline(), slotPrefix)
                .whenComplete((list, trouble) -> parts.loop().execute(() -> listed(list, trouble)));
    }

    private void listed(@Nullable List<IncarnationInfo> list, @Nullable Throwable trouble) {
        if (closed) {
            return;
        }
        if (list == null) {
            log.warn("The registry does not list incarnations: {}", String.valueOf(trouble));
            looksFailed++;
            endLook(parts.limits().retryDelay(looksFailed));
            return;
        }
        looksFailed = 0;
        open.clear();
        for (IncarnationInfo info : list) {
            if (info.state() == IncarnationState.OPEN && info.fenced()) {
                open.put(info.incarnation(), info);
            }
        }
        troubles.retain(open.keySet());
        toTry.addAll(open.values());
        idle = idle && pending() == 0;
        repairNext();
    }

    private void repairNext() {
        tell();
        while (!toTry.isEmpty()) {
            IncarnationInfo info = toTry.remove();
            if (troubles.mayTry(info.incarnation(), parts.loop().nanoTime())) {
                IncarnationRepair repair =
                        new IncarnationRepair(parts, info, result -> repaired(info, result));
                running = repair;
                repair.start();
                return;
            }
        }
        if (pending() == 0) {
            fullLooks++;
            idle = !lookAgain;
        }
        endLook(interval);
    }

    private void repaired(IncarnationInfo info, RepairResult result) {
        running = null;
        Incarnation incarnation = info.incarnation();
        long now = parts.loop().nanoTime();
        if (result instanceof RepairResult.Repaired repaired) {
            open.remove(incarnation);
            troubles.over(incarnation);
            repairedEvents += repaired.events();
            outcomesLost += repaired.outcomesLost();
        } else if (result instanceof RepairResult.Stopped stopped) {
            if (!troubles.alarms().contains(stopped.alarm())) {
                log.error("ALARM, a repair has stopped: {}", stopped.alarm());
            }
            troubles.stopped(incarnation, stopped.alarm(), now);
        } else if (result instanceof RepairResult.Failed failed) {
            log.warn("Repair of incarnation {} failed: {}", incarnation, failed.reason());
            troubles.failed(incarnation, failed.reason(), now);
        }
        repairNext();
    }

    private void endLook(Duration untilNext) {
        looking = false;
        tell();
        nextLook = parts.loop().schedule(lookAgain ? Duration.ZERO : untilNext, this::look);
    }

    private int pending() {
        return count(open.keySet(), false);
    }

    private int count(Collection<Incarnation> incarnations, boolean withAlarm) {
        int count = 0;
        for (Incarnation incarnation : incarnations) {
            if (troubles.hasAlarm(incarnation) == withAlarm) {
                count++;
            }
        }
        return count;
    }

    private void tell() {
        told.accept(
                new RepairStatus(
                        pending(),
                        count(open.keySet(), true),
                        repairedEvents,
                        outcomesLost,
                        troubles.alarms(),
                        fullLooks,
                        idle));
    }

    void close() {
        closed = true;
        if (running != null) {
            running.close();
        }
        if (nextLook != null) {
            nextLook.cancel();
        }
    }
}
