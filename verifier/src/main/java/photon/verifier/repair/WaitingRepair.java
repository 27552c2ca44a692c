package photon.verifier.repair;

import photon.core.id.Incarnation;

/**
 * A repair that has done all that can be done for now: some lost events could not be read again,
 * and may not be written off yet (docs/protocol.md section 6).
 *
 * @param incarnation whose repair it is
 * @param slot its slot's name
 * @param ids how many ids are looked for
 * @param seconds since the first look, without a break, as of the last look
 * @param secondsLeft until they are written off if nothing comes in the way; -1: something is in
 *     the way, and they are not written off while it is
 * @param reason what is in the way, such as a directory that is not there; empty: only the time
 */
public record WaitingRepair(
        Incarnation incarnation,
        String slot,
        int ids,
        long seconds,
        long secondsLeft,
        String reason) {

    /** True: what is in the way may need a person. */
    public boolean isBlocked() {
        return secondsLeft < 0;
    }

    /** A sentence for people. */
    public String text() {
        String what =
                "%s lost events of incarnation %s of %s are not in the foreign logs that are there, looked for during %s s"
                        .formatted(ids, incarnation, slot, seconds);
        return isBlocked()
                ? what + ", and are not written off while " + reason
                : what + ", and are written off in " + secondsLeft + " s if they do not come";
    }
}
