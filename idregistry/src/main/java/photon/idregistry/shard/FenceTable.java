package photon.idregistry.shard;

import static photon.core.error.Checks.check;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Per joiner slot the lowest live generation, which is only ever raised (docs/protocol.md section
 * 1).
 */
final class FenceTable {
    private final TreeMap<Integer, Integer> lowestLive = new TreeMap<>();

    /** The same in order of slots, so that to ask makes no object; made anew when asked. */
    private int[] slots = new int[0];

    private int[] lowestLiveOfSlots = new int[0];
    private boolean changed;

    /** Slots up to here that are not in the table are of a registry that was lost: fenced. */
    private int lostSlots;

    /** The slot asked last: a batch is mostly of one joiner. Slot 0 does not exist. */
    private int lastSlot;

    private int lastLowestLive;

    /** True if the slot's generation is not live any more. */
    boolean forbids(int slot, int generation) {
        if (slot != lastSlot || changed) {
            lastLowestLive = lowestLive(slot);
            lastSlot = slot;
        }
        return generation < lastLowestLive;
    }

    private int lowestLive(int slot) {
        if (changed) {
            slots = lowestLive.keySet().stream().mapToInt(s -> s).toArray();
            lowestLiveOfSlots = lowestLive.values().stream().mapToInt(g -> g).toArray();
            changed = false;
        }
        int place = Arrays.binarySearch(slots, slot);
        if (place >= 0) {
            return lowestLiveOfSlots[place];
        }
        return slot <= lostSlots ? Integer.MAX_VALUE : 0;
    }

    /** No generation is live of slots up to this number, unless the table says so. */
    void lose(int slots) {
        lostSlots = Math.max(lostSlots, slots);
        changed = true;
    }

    int lostSlots() {
        return lostSlots;
    }

    void raise(int slot, int lowestLiveGeneration) {
        lowestLive.merge(slot, lowestLiveGeneration, Math::max);
        changed = true;
    }

    void clear() {
        lowestLive.clear();
        lostSlots = 0;
        changed = true;
    }

    /** A view: slot to lowest live generation, in order of slots. */
    SortedMap<Integer, Integer> asMap() {
        return Collections.unmodifiableSortedMap(lowestLive);
    }

    /** Raises what an entry says: a count, then slots and generations, to its end. */
    void raise(ByteBuffer in) {
        int count = in.remaining() < Integer.BYTES ? -1 : in.getInt();
        check(
                count >= 0 && in.remaining() == (long) count * 2 * Integer.BYTES,
                "Expected whole fences, but got %s of them in %s bytes",
                count,
                in.remaining());
        for (int i = 0; i < count; i++) {
            raise(in.getInt(), in.getInt());
        }
    }
}
