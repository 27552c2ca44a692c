package photon.core.id;

import static photon.core.error.Checks.check;

import java.nio.ByteBuffer;

/**
 * One attempt at one event. Made once an attempt, kept until a definite answer, and reused only to
 * ask again (docs/protocol.md section 1).
 */
public record CommitToken(int slot, int generation, long sequence)
        implements Comparable<CommitToken> {
    /** Packed size. */
    public static final int BYTES = 16;

    public CommitToken {
        if (slot <= 0 || generation <= 0) {
            check(false, "Expected slot and generation above 0, but got %s-%s", slot, generation);
        }
    }

    public static CommitToken of(Incarnation incarnation, long sequence) {
        return new CommitToken(incarnation.slot(), incarnation.generation(), sequence);
    }

    public Incarnation incarnation() {
        return new Incarnation(slot, generation);
    }

    /** True without making an object. */
    public boolean isOf(Incarnation incarnation) {
        return slot == incarnation.slot() && generation == incarnation.generation();
    }

    public static CommitToken read(ByteBuffer from) {
        return new CommitToken(from.getInt(), from.getInt(), from.getLong());
    }

    public void write(ByteBuffer to) {
        to.putInt(slot).putInt(generation).putLong(sequence);
    }

    @Override
    public int compareTo(CommitToken other) {
        int c = Integer.compare(slot, other.slot);
        if (c == 0) {
            c = Integer.compare(generation, other.generation);
        }
        return c != 0 ? c : Long.compare(sequence, other.sequence);
    }

    @Override
    public String toString() {
        return slot + "-" + generation + "-" + sequence;
    }
}
