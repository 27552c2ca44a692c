package photon.verifier.repair;

import java.util.ArrayList;
import java.util.List;

/**
 * How far the repair of a datacenter's incarnations is.
 *
 * @param pending incarnations that are open, not live and not repaired, without those that an alarm
 *     stops and those that wait
 * @param stopped incarnations whose repair an alarm stops
 * @param failing of these, those that failed often and are tried again all the same: they go on by
 *     themselves when what they need is there again
 * @param repairedEvents lost events that were handed over to a dispatcher since start
 * @param outcomesLost ids found since start that stay held for good
 * @param alarms what a person has to look at: one for each incarnation that is stopped
 * @param fullLooks how many looks since start have gone through the whole list and found nothing
 *     pending at their end
 * @param waiting repairs whose last events could not be read again and may not be written off yet
 * @param idle true: the last look was such a one
 * @param silence slots of which nothing is heard
 * @param troubled the repairs that count as stopped, with their alarms
 */
public record RepairStatus(
        int pending,
        int stopped,
        int failing,
        long repairedEvents,
        long outcomesLost,
        List<String> alarms,
        long fullLooks,
        List<WaitingRepair> waiting,
        boolean idle,
        SilenceStatus silence,
        List<TroubledRepair> troubled) {

    /** Before the first look. */
    public static final RepairStatus NOTHING_KNOWN =
            new RepairStatus(0, 0, 0, 0, 0, List.of(), 0, List.of(), false);

    public RepairStatus {
        alarms = List.copyOf(alarms);
        waiting = List.copyOf(waiting);
        troubled = List.copyOf(troubled);
    }

    /** Where nothing is known of silent slots, nor of alarms by incarnation. */
    public RepairStatus(
            int pending,
            int stopped,
            int failing,
            long repairedEvents,
            long outcomesLost,
            List<String> alarms,
            long fullLooks,
            List<WaitingRepair> waiting,
            boolean idle) {
        this(
                pending,
                stopped,
                failing,
                repairedEvents,
                outcomesLost,
                alarms,
                fullLooks,
                waiting,
                idle,
                SilenceStatus.NONE,
                List.of());
    }

    /**
     * A sentence for each incarnation whose repair has not come to its end, or has not begun:
     * alarms, those that wait, and silent slots.
     */
    public List<String> unfinished() {
        List<String> all = new ArrayList<>(alarms);
        for (WaitingRepair one : waiting) {
            if (!all.contains(one.text())) {
                all.add(one.text());
            }
        }
        for (SilentSlot one : silence.silent()) {
            if (!all.contains(one.text())) {
                all.add(one.text());
            }
        }
        return all;
    }

    RepairStatus notIdle() {
        return with(alarms, false, silence);
    }

    /** What only a person fences is an alarm. */
    RepairStatus with(SilenceStatus now) {
        List<String> all = new ArrayList<>(alarms);
        now.silent().stream()
                .filter(SilentSlot::isLeftToAPerson)
                .forEach(one -> all.add(one.text()));
        return with(all, idle, now);
    }

    private RepairStatus with(List<String> all, boolean idleNow, SilenceStatus now) {
        return new RepairStatus(
                pending,
                stopped,
                failing,
                repairedEvents,
                outcomesLost,
                all,
                fullLooks,
                waiting,
                idleNow,
                now,
                troubled);
    }
}
