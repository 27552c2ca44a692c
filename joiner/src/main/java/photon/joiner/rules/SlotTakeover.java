package photon.joiner.rules;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import photon.core.id.Incarnation;
import photon.registry.api.ControlClient.IncarnationInfo;

/**
 * Tells whether another process has taken this joiner's slot: then it stops for good, since two
 * processes in one slot would fence each other for ever (docs/protocol.md section 1).
 *
 * @param address where this process serves
 * @param startedMicros when this process started: tells two processes apart that share an address
 *     and a number, as containers do
 */
public record SlotTakeover(String slotName, String address, long processId, long startedMicros) {

    /**
     * @param known incarnations that the control group knows; those of other slots are left out
     * @param last this process's last incarnation
     * @return what to tell people, naming both processes; empty: the slot is still ours
     */
    public Optional<String> judge(List<IncarnationInfo> known, Incarnation last) {
        return known.stream()
                .filter(info -> info.slotName().equals(slotName))
                .max(Comparator.comparing(IncarnationInfo::incarnation))
                .filter(newest -> newest.incarnation().compareTo(last) > 0 && !isOurs(newest))
                .map(
                        newest ->
                                "Slot "
                                        + slotName
                                        + " was taken by another process: incarnation "
                                        + newest.incarnation()
                                        + " at "
                                        + newest.address()
                                        + " (process "
                                        + newest.processId()
                                        + ") came after "
                                        + last
                                        + " at "
                                        + address
                                        + " (process "
                                        + processId
                                        + "). Expected one process a slot: give each its own");
    }

    private boolean isOurs(IncarnationInfo info) {
        return info.address().equals(address)
                && info.processId() == processId
                && info.startedMicros() == startedMicros;
    }
}
