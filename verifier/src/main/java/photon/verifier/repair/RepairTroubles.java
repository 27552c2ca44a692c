package photon.verifier.repair;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import photon.core.id.Incarnation;

/**
 * Which incarnations could not be repaired so far, and when each is tried again: so that one of
 * them never holds up the others.
 */
final class RepairTroubles {
    private final RepairLimits limits;
    private final TreeMap<Incarnation, Trouble> troubles = new TreeMap<>();

    RepairTroubles(RepairLimits limits) {
        this.limits = limits;
    }

    boolean mayTry(Incarnation incarnation, long nanoTime) {
        Trouble trouble = troubles.get(incarnation);
        return trouble == null || nanoTime - trouble.dueNanos >= 0;
    }

    /** True: a person has to look at it. */
    boolean hasAlarm(Incarnation incarnation) {
        Trouble trouble = troubles.get(incarnation);
        return trouble != null && trouble.alarm != null;
    }

    /** True: a person has to look at it, unless what it needs comes back. */
    boolean isFailing(Incarnation incarnation) {
        Trouble trouble = troubles.get(incarnation);
        return trouble != null && trouble.alarm != null && !trouble.stopped;
    }

    void stopped(Incarnation incarnation, String alarm, long nanoTime) {
        put(incarnation, alarm, true, nanoTime);
    }

    void failed(Incarnation incarnation, String reason, long nanoTime) {
        int failures = failures(incarnation) + 1;
        String alarm =
                failures < limits.failuresBeforeAlarm()
                        ? null
                        : "The repair of incarnation %s has failed %s times: %s"
                                .formatted(incarnation, failures, reason);
        put(incarnation, alarm, false, nanoTime);
    }

    /** Forgets all but these. */
    void retain(Collection<Incarnation> open) {
        troubles.keySet().retainAll(open);
    }

    void over(Incarnation incarnation) {
        troubles.remove(incarnation);
    }

    List<String> alarms() {
        List<String> alarms = new ArrayList<>();
        for (Trouble trouble : troubles.values()) {
            if (trouble.alarm != null) {
                alarms.add(trouble.alarm);
            }
        }
        return alarms;
    }

    /** Those with an alarm, and what it is. */
    List<TroubledRepair> troubled() {
        List<TroubledRepair> troubled = new ArrayList<>();
        troubles.forEach(
                (incarnation, trouble) -> {
                    if (trouble.alarm != null) {
                        troubled.add(
                                new TroubledRepair(incarnation, trouble.stopped, trouble.alarm));
                    }
                });
        return troubled;
    }

    private int failures(Incarnation incarnation) {
        Trouble trouble = troubles.get(incarnation);
        return trouble == null ? 0 : trouble.failures;
    }

    private void put(
            Incarnation incarnation, @Nullable String alarm, boolean stopped, long nanoTime) {
        int failures = failures(incarnation) + 1;
        Trouble before = troubles.get(incarnation);
        if (alarm == null && before != null) {
            // A passing trouble does not take an alarm back.
            alarm = before.alarm;
            stopped = before.stopped;
        }
        long due = nanoTime + limits.retryDelay(failures).toNanos();
        troubles.put(incarnation, new Trouble(failures, due, alarm, stopped));
    }

    /**
     * @param stopped the alarm tells what a person has to change; it has not only failed often
     */
    private record Trouble(int failures, long dueNanos, @Nullable String alarm, boolean stopped) {}
}
