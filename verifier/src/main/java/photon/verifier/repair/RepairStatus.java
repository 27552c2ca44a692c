package photon.verifier.repair;

import java.util.List;

/**
 * How far the repair of a datacenter's incarnations is.
 *
 * @param pending incarnations that are open, not live and not repaired, without those that an alarm
 *     stops
 * @param stopped incarnations whose repair an alarm stops
 * @param repairedEvents lost events that were handed over to a dispatcher since start
 * @param outcomesLost ids found since start that stay held for good
 * @param alarms what a person has to look at: one for each incarnation that is stopped
 * @param fullLooks how many looks since start have gone through the whole list and found nothing
 *     pending at their end
 * @param idle true: the last look was such a one
 */
public record RepairStatus(
        int pending,
        int stopped,
        long repairedEvents,
        long outcomesLost,
        List<String> alarms,
        long fullLooks,
        boolean idle) {

    /** Before the first look. */
    public static final RepairStatus NOTHING_KNOWN =
            new RepairStatus(0, 0, 0, 0, List.of(), 0, false);

    public RepairStatus {
        alarms = List.copyOf(alarms);
    }

    RepairStatus notIdle() {
        return new RepairStatus(
                pending, stopped, repairedEvents, outcomesLost, alarms, fullLooks, false);
    }
}
