package photon.core.id;

import static photon.core.error.Checks.check;

/**
 * One life of a joiner (docs/protocol.md section 1). Both numbers come from the registry's control
 * group.
 *
 * @param slot the slot's number, from 1
 * @param generation from 1, one higher than any before in that slot
 */
public record Incarnation(int slot, int generation) implements Comparable<Incarnation> {
    public Incarnation {
        check(slot > 0, "Expected a slot number above 0, but got %s", slot);
        check(generation > 0, "Expected a generation above 0, but got %s", generation);
    }

    /** The name under which its files stand: {@code 3-17}. */
    @Override
    public String toString() {
        return slot + "-" + generation;
    }

    /** The opposite of {@link #toString()}. */
    public static Incarnation parse(String text) {
        int dash = text.indexOf('-');
        check(dash > 0, "Expected slot-generation, but got '%s'", text);
        return new Incarnation(
                Integer.parseInt(text.substring(0, dash)),
                Integer.parseInt(text.substring(dash + 1)));
    }

    @Override
    public int compareTo(Incarnation other) {
        int c = Integer.compare(slot, other.slot);
        return c != 0 ? c : Integer.compare(generation, other.generation);
    }
}
