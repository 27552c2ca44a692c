package photon.verifier.repair;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.id.Incarnation;
import photon.core.loop.EventLoop;
import photon.core.loop.UnansweredCalls;
import photon.registry.api.ControlClient.IncarnationInfo;
import photon.registry.api.ControlClient.IncarnationState;

/**
 * Looks at the control group's list, at start and then again and again, and repairs every
 * incarnation of this datacenter that is open and not live, a few at once, whatever their slots
 * (docs/protocol.md section 1). Each goes on in steps of its own, so none holds up the others.
 * Lives in its parts' loop.
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

    /** Up to {@link RepairLimits#repairsAtOnce}. */
    private final TreeMap<Incarnation, IncarnationRepair> running = new TreeMap<>();

    /** Repaired since the list was asked for, which may still have them as open. */
    private final Set<Incarnation> repairedSince = new HashSet<>();

    /** Repairs that only look again now and then, beside those that run. */
    private final TreeMap<Incarnation, Waiting> waiting = new TreeMap<>();

    private final LookPlaces places = new LookPlaces(LookPlaces.KEPT_MAX);

    private final UnansweredCalls listings = new UnansweredCalls();

    private EventLoop.@Nullable Cancellable nextLook;
    private boolean looking;
    private boolean listing;
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

    private record Waiting(IncarnationRepair repair, WaitingRepair told) {}

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
        repairedSince.clear();
        listing = true;
        UnansweredCalls.Call call = listings.sent(1, parts.loop().nanoTime());
        parts.control()
                .incarnations(parts.pipeline(), slotPrefix)
                .whenComplete(
                        (list, trouble) ->
                                parts.loop()
                                        .execute(
                                                () -> {
                                                    call.answered();
                                                    listed(list, trouble);
                                                }));
    }

    private void listed(@Nullable List<IncarnationInfo> list, @Nullable Throwable trouble) {
        listing = false;
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
            if (info.state() == IncarnationState.OPEN
                    && info.fenced()
                    && !repairedSince.contains(info.incarnation())) {
                open.put(info.incarnation(), info);
            }
        }
        troubles.retain(open.keySet());
        dropSettled();
        toTry.clear();
        for (IncarnationInfo info : open.values()) {
            if (!waiting.containsKey(info.incarnation())
                    && !running.containsKey(info.incarnation())) {
                toTry.add(info);
            }
        }
        idle = idle && pending() == 0;
        repairNext();
    }

    /**
     * Given up by a person, or repaired by another: there is nothing left to look for. One that was
     * reopened meanwhile starts over.
     */
    private void dropSettled() {
        for (Incarnation incarnation : List.copyOf(waiting.keySet())) {
            IncarnationInfo info = open.get(incarnation);
            IncarnationRepair repair = requireNonNull(waiting.get(incarnation)).repair();
            if (info == null || repair.isOutdated(info)) {
                waiting.remove(incarnation);
                repair.close();
            }
        }
    }

    /** Fills the places that are free; with nothing left to begin, the look is over. */
    private void repairNext() {
        tell();
        while (!toTry.isEmpty() && running.size() < parts.limits().repairsAtOnce()) {
            IncarnationInfo info = toTry.remove();
            if (troubles.mayTry(info.incarnation(), parts.loop().nanoTime())) {
                begin(info);
            }
        }
        if (!looking || listing || !toTry.isEmpty()) {
            return;
        }
        if (pending() == 0) {
            fullLooks++;
            idle = !lookAgain;
        }
        endLook(interval);
    }

    private void begin(IncarnationInfo info) {
        IncarnationRepair repair =
                new IncarnationRepair(
                        parts,
                        info,
                        places,
                        told -> waits(info, told),
                        result -> repaired(info, result));
        running.put(info.incarnation(), repair);
        repair.start();
    }

    /** It goes on by itself; others have its place. */
    private void waits(IncarnationInfo info, WaitingRepair told) {
        Waiting before = waiting.get(info.incarnation());
        if (before != null) {
            waiting.put(info.incarnation(), new Waiting(before.repair(), told));
            tell();
            return;
        }
        log.warn("{}", told.text());
        troubles.over(info.incarnation());
        IncarnationRepair repair = requireNonNull(running.remove(info.incarnation()));
        waiting.put(info.incarnation(), new Waiting(repair, told));
        ended();
    }

    private void repaired(IncarnationInfo info, RepairResult result) {
        boolean ran = running.remove(info.incarnation()) != null;
        waiting.remove(info.incarnation());
        note(info, result);
        if (ran) {
            ended();
        } else {
            tell();
        }
    }

    /** One place is free; when all are, a list from now says whether anything is left. */
    private void ended() {
        repairNext();
        if (running.isEmpty() && !looking) {
            look();
        }
    }

    private void note(IncarnationInfo info, RepairResult result) {
        Incarnation incarnation = info.incarnation();
        long now = parts.loop().nanoTime();
        if (result instanceof RepairResult.Repaired repaired) {
            open.remove(incarnation);
            repairedSince.add(incarnation);
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
    }

    private void endLook(Duration untilNext) {
        looking = false;
        tell();
        nextLook = parts.loop().schedule(lookAgain ? Duration.ZERO : untilNext, this::look);
    }

    private int pending() {
        return count(one -> !troubles.hasAlarm(one));
    }

    /** Of those that do not wait. */
    private int count(Predicate<Incarnation> which) {
        return (int)
                open.keySet().stream()
                        .filter(one -> !waiting.containsKey(one) && which.test(one))
                        .count();
    }

    /** When the list was asked for that has not come; empty: none is awaited. */
    OptionalLong listingNanos() {
        return listings.oldestNanos();
    }

    private void tell() {
        told.accept(
                new RepairStatus(
                        pending(),
                        count(troubles::hasAlarm),
                        count(troubles::isFailing),
                        repairedEvents,
                        outcomesLost,
                        alarms(),
                        fullLooks,
                        waiting.values().stream().map(Waiting::told).toList(),
                        idle,
                        SilenceStatus.NONE,
                        troubled()));
    }

    /** As {@link #count} sees them. */
    private List<TroubledRepair> troubled() {
        return troubles.troubled().stream()
                .filter(
                        one ->
                                open.containsKey(one.incarnation())
                                        && !waiting.containsKey(one.incarnation()))
                .toList();
    }

    private List<String> alarms() {
        List<String> alarms = new ArrayList<>(troubles.alarms());
        long before = parts.limits().blockedBeforeAlarm().toSeconds();
        for (Waiting one : waiting.values()) {
            if (one.told().isBlocked() && one.told().seconds() >= before) {
                alarms.add(one.told().text());
            }
        }
        return alarms;
    }

    void close() {
        closed = true;
        running.values().forEach(IncarnationRepair::close);
        waiting.values().forEach(one -> one.repair().close());
        if (nextLook != null) {
            nextLook.cancel();
        }
    }
}
