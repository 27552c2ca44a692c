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

    /** The bit of the sequence that tells the kind; no incarnation uses that many tokens. */
    private static final long UNMATCHED_BIT = 1L << 62;

    /** Likewise, of an attempt at an event's upgrade. */
    private static final long UPGRADE_BIT = 1L << 61;

    private static final String UNMATCHED = "-unmatched";
    private static final String UPGRADE = "-upgrade";

    /**
     * Holds an id that was joined without its primary event when that output was lost and the token
     * removed: nobody joins it any more but without. No incarnation has this number.
     */
    public static final CommitToken JOIN_UNMATCHED =
            new CommitToken(Integer.MAX_VALUE, Integer.MAX_VALUE, UNMATCHED_BIT);

    public CommitToken {
        if (slot <= 0 || generation <= 0) {
            check(false, "Expected slot and generation above 0, but got %s-%s", slot, generation);
        }
    }

    public static CommitToken of(Incarnation incarnation, long sequence) {
        return new CommitToken(incarnation.slot(), incarnation.generation(), sequence);
    }

    /** The same attempt, which joins its event without the primary event, and says so. */
    public CommitToken asUnmatched() {
        return new CommitToken(slot, generation, sequence | UNMATCHED_BIT);
    }

    /**
     * What it holds is joined without its primary event, or is to be. Only pipelines with upgrades
     * say so in their tokens.
     */
    public boolean isUnmatched() {
        return isUnmatched(sequence);
    }

    /** The same of a token that is no object. */
    public static boolean isUnmatched(long sequence) {
        return (sequence & UNMATCHED_BIT) != 0;
    }

    /** The same attempt, which joins an event's upgrade, and says so. */
    public CommitToken asUpgrade() {
        return new CommitToken(slot, generation, sequence | UPGRADE_BIT);
    }

    /** What it holds is the key of an upgrade ({@link EventId#upgrade()}). */
    public boolean isUpgrade() {
        return (sequence & UPGRADE_BIT) != 0;
    }

    /** Which of its incarnation's attempts it is, from 1 on, whatever its kind. */
    public long attempt() {
        return attempt(sequence);
    }

    /** The same of a token that is no object. */
    public static long attempt(long sequence) {
        return sequence & ~(UNMATCHED_BIT | UPGRADE_BIT);
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

    /** As {@code 3-17-4711}, {@code 3-17-4711-unmatched} or {@code 3-17-4711-upgrade}. */
    @Override
    public String toString() {
        String kind = isUnmatched() ? UNMATCHED : isUpgrade() ? UPGRADE : "";
        return slot + "-" + generation + "-" + attempt() + kind;
    }

    /** The opposite of {@link #toString()}. */
    public static CommitToken parse(String text) {
        if (text.endsWith(UNMATCHED)) {
            return parse(text.substring(0, text.length() - UNMATCHED.length())).asUnmatched();
        }
        if (text.endsWith(UPGRADE)) {
            return parse(text.substring(0, text.length() - UPGRADE.length())).asUpgrade();
        }
        int last = text.lastIndexOf('-');
        check(last > 0, "Expected slot-generation-number, but got '%s'", text);
        return of(
                Incarnation.parse(text.substring(0, last)),
                Long.parseLong(text.substring(last + 1)));
    }
}
