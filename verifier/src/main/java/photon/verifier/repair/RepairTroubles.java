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

    void stopped(Incarnation incarnation, String alarm, long nanoTime) {
        put(incarnation, alarm, nanoTime);
    }

    void failed(Incarnation incarnation, String reason, long nanoTime) {
        int failures = failures(incarnation) + 1;
        String alarm =
                failures < limits.failuresBeforeAlarm()
                        ? null
                        : "The repair of incarnation %s has failed %s times: %s"
                                .formatted(incarnation, failures, reason);
        put(incarnation, alarm, nanoTime);
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

    private int failures(Incarnation incarnation) {
        Trouble trouble = troubles.get(incarnation);
        return trouble == null ? 0 : trouble.failures;
    }

    private void put(Incarnation incarnation, @Nullable String alarm, long nanoTime) {
        int failures = failures(incarnation) + 1;
        Trouble before = troubles.get(incarnation);
        if (alarm == null && before != null) {
            // A passing trouble does not take an alarm back.
            alarm = before.alarm;
        }
        long due = nanoTime + limits.retryDelay(failures).toNanos();
        troubles.put(incarnation, new Trouble(failures, due, alarm));
    }

    private record Trouble(int failures, long dueNanos, @Nullable String alarm) {}
}
