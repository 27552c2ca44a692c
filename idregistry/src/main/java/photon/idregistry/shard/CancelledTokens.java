package photon.idregistry.shard;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.LongPredicate;
import photon.core.error.BugException;

/**
 * Remembers the cancelled tokens of one shard, by incarnation. Nothing is evicted: tokens leave
 * with their incarnation's fence only. Asking makes no object, and costs one comparison while the
 * set is empty. Not thread-safe.
 */
final class CancelledTokens {
    private static final long[] NONE = {};
    private static final int SLOT_BITS = 32;

    /** Slot and generation in one, in order; as many as {@link #sequences}. */
    private long[] incarnations = NONE;

    /** In order for each incarnation, up to {@link #counts}. */
    private long[][] sequences = {};

    private int[] counts = {};
    private int size;

    /** Tokens of all incarnations. */
    int size() {
        return size;
    }

    boolean contains(int slot, int generation, long sequence) {
        if (size == 0) {
            return false;
        }
        int place = Arrays.binarySearch(incarnations, incarnation(slot, generation));
        return place >= 0 && Arrays.binarySearch(sequences[place], 0, counts[place], sequence) >= 0;
    }

    /** Tokens of all the slot's generations. */
    int ofSlot(int slot) {
        int ofSlot = 0;
        for (int i = 0; i < incarnations.length; i++) {
            ofSlot += slotOf(incarnations[i]) == slot ? counts[i] : 0;
        }
        return ofSlot;
    }

    /** Adds a token that is not in the set. */
    void add(int slot, int generation, long sequence) {
        int place = placeOf(incarnation(slot, generation));
        int at = Arrays.binarySearch(sequences[place], 0, counts[place], sequence);
        if (at >= 0) {
            throw new BugException(
                    "Expected a token that is not in the set, but got %s-%s-%s"
                            .formatted(slot, generation, sequence));
        }
        at = -1 - at;
        long[] all = sequences[place];
        if (counts[place] == all.length) {
            all = Arrays.copyOf(all, Math.max(4, 2 * all.length));
            sequences[place] = all;
        }
        System.arraycopy(all, at, all, at + 1, counts[place] - at);
        all[at] = sequence;
        counts[place]++;
        size++;
    }

    private int placeOf(long incarnation) {
        int place = Arrays.binarySearch(incarnations, incarnation);
        if (place >= 0) {
            return place;
        }
        place = -1 - place;
        int count = incarnations.length;
        long[] widerIncarnations = new long[count + 1];
        long[][] widerSequences = new long[count + 1][];
        int[] widerCounts = new int[count + 1];
        for (int i = 0; i < count; i++) {
            int to = i < place ? i : i + 1;
            widerIncarnations[to] = incarnations[i];
            widerSequences[to] = sequences[i];
            widerCounts[to] = counts[i];
        }
        widerIncarnations[place] = incarnation;
        widerSequences[place] = NONE;
        incarnations = widerIncarnations;
        sequences = widerSequences;
        counts = widerCounts;
        return place;
    }

    /** Forgets the tokens of incarnations that this shard has fenced: it accepts none of them. */
    void dropFenced(FenceTable fences) {
        if (size > 0) {
            keep(i -> !fences.forbids(slotOf(i), generationOf(i)));
        }
    }

    private void keep(LongPredicate kept) {
        int count = 0;
        size = 0;
        for (int i = 0; i < incarnations.length; i++) {
            if (kept.test(incarnations[i])) {
                incarnations[count] = incarnations[i];
                sequences[count] = sequences[i];
                counts[count] = counts[i];
                size += counts[i];
                count++;
            }
        }
        incarnations = Arrays.copyOf(incarnations, count);
        sequences = Arrays.copyOf(sequences, count);
        counts = Arrays.copyOf(counts, count);
    }

    /** The same for the same tokens, whatever the order in which they came. */
    int contentHash() {
        int hash = 1;
        for (int i = 0; i < incarnations.length; i++) {
            hash = 31 * hash + Long.hashCode(incarnations[i]);
            for (int j = 0; j < counts[i]; j++) {
                hash = 31 * hash + Long.hashCode(sequences[i][j]);
            }
        }
        return hash;
    }

    void write(DataOutput out) throws IOException {
        out.writeInt(incarnations.length);
        for (int i = 0; i < incarnations.length; i++) {
            out.writeLong(incarnations[i]);
            out.writeInt(counts[i]);
            for (int j = 0; j < counts[i]; j++) {
                out.writeLong(sequences[i][j]);
            }
        }
    }

    /** Replaces all that is here. */
    void read(DataInput in) throws IOException {
        keep(i -> false);
        int readIncarnations = in.readInt();
        for (int i = 0; i < readIncarnations; i++) {
            long incarnation = in.readLong();
            int tokens = in.readInt();
            for (int j = 0; j < tokens; j++) {
                add(slotOf(incarnation), generationOf(incarnation), in.readLong());
            }
        }
    }

    private static long incarnation(int slot, int generation) {
        return (long) slot << SLOT_BITS | Integer.toUnsignedLong(generation);
    }

    private static int slotOf(long incarnation) {
        return (int) (incarnation >>> SLOT_BITS);
    }

    private static int generationOf(long incarnation) {
        return (int) incarnation;
    }
}
