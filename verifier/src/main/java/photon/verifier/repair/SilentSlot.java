package photon.verifier.repair;

import photon.core.id.Incarnation;

/**
 * A live incarnation that has not renewed for longer than it should (docs/protocol.md section 1):
 * its joiner is dead, sleeps, or cannot reach the registry.
 *
 * @param slot its slot's name
 * @param seconds for which it is known to be silent, while the registry took entries
 * @param secondsLeft until it is fenced if it does not renew; -1: it is not, since {@code
 *     repair.fenceAfter} is off
 */
public record SilentSlot(Incarnation incarnation, String slot, long seconds, long secondsLeft) {
    /** True: only a person fences it. */
    public boolean isLeftToAPerson() {
        return secondsLeft < 0;
    }

    /** A sentence for people. */
    public String text() {
        String what =
                "Slot %s is silent: its incarnation %s has not renewed for %s s"
                        .formatted(slot, incarnation, seconds);
        return isLeftToAPerson()
                ? what
                        + ", and is not fenced, since repair.fenceAfter is off. If its joiner does not"
                        + " come back: photon registry incarnations fence"
                : what + ", and is fenced in " + secondsLeft + " s if it does not";
    }
}
