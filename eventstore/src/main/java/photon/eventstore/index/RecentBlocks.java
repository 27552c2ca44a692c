package photon.eventstore.index;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The newest blocks as they were before compression, within a bound on memory: most foreign events
 * follow their primary event soon. Whole blocks and not events, since nothing is done for an event
 * that nobody asks for, and a few large arrays cost the garbage collector nothing. One thread puts;
 * any thread gets.
 */
final class RecentBlocks {
    /** What is around the bytes of a block takes, roughly. */
    private static final long OVERHEAD_BYTES = 500;

    private final long bytesMax;
    private final ConcurrentHashMap<Long, Block> byPosition = new ConcurrentHashMap<>();

    // Of the thread that puts.
    private final Deque<Long> eldestFirst = new ArrayDeque<>();

    private volatile long bytes;

    /**
     * @param bytesMax about how much memory the blocks may take; 0 keeps none
     */
    RecentBlocks(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /**
     * @param position of the block's first record
     */
    void put(long position, Block block) {
        long weight = weight(block);
        if (weight > bytesMax) {
            return;
        }
        long taken = bytes + weight;
        while (taken > bytesMax) {
            Block dropped = byPosition.remove(eldestFirst.remove());
            taken -= dropped == null ? 0 : weight(dropped);
        }
        byPosition.put(position, block);
        eldestFirst.add(position);
        bytes = taken;
    }

    @Nullable Block get(long position) {
        return byPosition.get(position);
    }

    private static long weight(Block block) {
        return OVERHEAD_BYTES + block.bytes();
    }

    /** What they take of the heap. Any thread may ask. */
    long bytes() {
        return bytes;
    }
}
