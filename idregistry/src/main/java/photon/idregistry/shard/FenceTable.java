package photon.idregistry.shard;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Per joiner slot the lowest live generation, which is only ever raised (docs/protocol.md section
 * 1).
 */
final class FenceTable {
    private final TreeMap<Integer, Integer> lowestLive = new TreeMap<>();

    /** The slot asked last: a batch is mostly of one joiner. Slot 0 does not exist. */
    private int lastSlot;

    private int lastLowestLive;

    /** True if the slot's generation is not live any more. */
    boolean forbids(int slot, int generation) {
        if (slot != lastSlot) {
            lastLowestLive = lowestLive.getOrDefault(slot, 0);
            lastSlot = slot;
        }
        return generation < lastLowestLive;
    }

    void raise(int slot, int lowestLiveGeneration) {
        lowestLive.merge(slot, lowestLiveGeneration, Math::max);
        lastSlot = 0;
    }

    void clear() {
        lowestLive.clear();
        lastSlot = 0;
    }

    /** A view: slot to lowest live generation, in order of slots. */
    SortedMap<Integer, Integer> asMap() {
        return Collections.unmodifiableSortedMap(lowestLive);
    }
}
