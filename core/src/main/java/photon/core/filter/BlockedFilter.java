package photon.core.filter;

import java.nio.ByteBuffer;

/**
 * Says of most hashes that a file does not hold that it does not: a Bloom filter, split into blocks
 * of 256 bits as in Putze, Sanders and Singler, "Cache-, Hash- and Space-Efficient Bloom Filters"
 * (2007), so that a question reads one line of the cache. Of hashes that are not there, about one
 * in a hundred is let through. Filled by one thread; then safe to ask by any.
 */
public final class BlockedFilter {
    private static final int BITS_PER_ROW = 10;
    private static final int BLOCK_LONGS = 4;
    private static final int BLOCK_BITS = BLOCK_LONGS * Long.SIZE;

    /** A filter of more would not fit a buffer: with more rows it lets more through. */
    private static final long BLOCKS_MAX = (1 << 30) / (BLOCK_LONGS * Long.BYTES);

    private final long[] words;

    private BlockedFilter(long[] words) {
        this.words = words;
    }

    /** An empty one. */
    public static BlockedFilter of(long rowsMax) {
        long blocks = rowsMax / (BLOCK_BITS / BITS_PER_ROW) + 1;
        return new BlockedFilter(new long[(int) Math.min(blocks, BLOCKS_MAX) * BLOCK_LONGS]);
    }

    /** Reads what {@link #write} wrote. */
    public static BlockedFilter read(ByteBuffer from, int longs) {
        long[] words = new long[longs];
        from.asLongBuffer().get(words);
        from.position(from.position() + longs * Long.BYTES);
        return new BlockedFilter(words);
    }

    public static boolean isLength(long longs) {
        return longs > 0 && longs <= BLOCKS_MAX * BLOCK_LONGS && longs % BLOCK_LONGS == 0;
    }

    public void write(ByteBuffer to) {
        to.asLongBuffer().put(words);
        to.position(to.position() + words.length * Long.BYTES);
    }

    public int longs() {
        return words.length;
    }

    public long bytes() {
        return (long) words.length * Long.BYTES;
    }

    /**
     * The hashes of one registry shard's ids have their low end in common: all bits are stirred
     * once more.
     */
    private static long stir(long hash) {
        long z = hash * 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 32)) * 0xD6E8FEB86659FD93L;
        return z ^ (z >>> 32);
    }

    private int block(long stirred) {
        long blocks = words.length / BLOCK_LONGS;
        return (int) (((stirred >>> 32) * blocks) >>> 32) * BLOCK_LONGS;
    }

    /** Two bits of a word, of six bits of the number each. */
    private static long bits(long number) {
        return 1L << number | 1L << (number >>> 6);
    }

    /**
     * Adds the first {@code count} of the hashes. Give it many: reads that miss the processor's
     * caches go on side by side then.
     */
    public void addAll(long[] hashes, int count) {
        for (int i = 0; i < count; i++) {
            add(hashes[i]);
        }
    }

    private void add(long hash) {
        long stirred = stir(hash);
        int at = block(stirred);
        long low = spread(stirred);
        words[at] |= bits(low);
        words[at + 1] |= bits(low >>> 12);
        words[at + 2] |= bits(low >>> 24);
        words[at + 3] |= bits(low >>> 36);
    }

    /** False: no id with this hash was added. */
    public boolean mayHold(long hash) {
        long stirred = stir(hash);
        int at = block(stirred);
        long low = spread(stirred);
        return lacks(at, low) == 0;
    }

    private long lacks(int at, long low) {
        return (bits(low) & ~words[at])
                | (bits(low >>> 12) & ~words[at + 1])
                | (bits(low >>> 24) & ~words[at + 2])
                | (bits(low >>> 36) & ~words[at + 3]);
    }

    /** 48 bits and more from the half that has not chosen the block. */
    private static long spread(long stirred) {
        return ((stirred & 0xFFFF_FFFFL) * 0x9E3779B97F4A7C15L) >>> 8;
    }
}
