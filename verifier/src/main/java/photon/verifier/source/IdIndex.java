package photon.verifier.source;

import static photon.core.error.Checks.check;

import java.util.ArrayList;
import java.util.List;
import photon.core.id.EventId;

/**
 * A set of identities that numbers them from 0 in order of arrival. Keeps no object an identity: 28
 * bytes for the packed id and 6 to 12 for the hash table, so that ten million take about 400 MB.
 * Nothing is ever taken out. Not thread-safe.
 */
public final class IdIndex {
    /** What {@link #find} says of an unknown identity. */
    public static final int ABSENT = -1;

    private static final int CHUNK_BITS = 12;
    private static final int CHUNK_SIZE = 1 << CHUNK_BITS;
    private static final int SIZE_MAX = 1 << 29;

    private final List<Chunk> chunks = new ArrayList<>();
    // Open addressing; a bucket holds the number plus 1, so that 0 means free.
    private int[] buckets = new int[64];
    private int size;

    /** The number of the identity, which is {@link #size()} as it was before if it is new. */
    public int add(EventId id) {
        int bucket = bucketOf(id);
        if (buckets[bucket] != 0) {
            return buckets[bucket] - 1;
        }
        check(size < SIZE_MAX, "Expected fewer than %s identities", SIZE_MAX);
        int number = size++;
        store(number, id);
        buckets[bucket] = number + 1;
        if (size * 3L > buckets.length * 2L) {
            grow();
        }
        return number;
    }

    /** The number of the identity, or {@link #ABSENT}. */
    public int find(EventId id) {
        return buckets[bucketOf(id)] - 1;
    }

    /**
     * @param number from 0 to {@link #size()} - 1
     */
    public EventId get(int number) {
        check(number >= 0 && number < size, "Expected a number below %s, got %s", size, number);
        Chunk chunk = chunks.get(number >>> CHUNK_BITS);
        int i = number & (CHUNK_SIZE - 1);
        return new EventId(chunk.micros[i], chunk.high[i], chunk.low[i], chunk.process[i]);
    }

    /** How many identities there are. */
    public int size() {
        return size;
    }

    private void store(int number, EventId id) {
        if (number >>> CHUNK_BITS == chunks.size()) {
            chunks.add(new Chunk());
        }
        Chunk chunk = chunks.get(number >>> CHUNK_BITS);
        int i = number & (CHUNK_SIZE - 1);
        chunk.micros[i] = id.micros();
        chunk.high[i] = id.serverHigh();
        chunk.low[i] = id.serverLow();
        chunk.process[i] = id.process();
    }

    /** The bucket that holds the identity, or the free one where it belongs. */
    private int bucketOf(EventId id) {
        int mask = buckets.length - 1;
        int bucket = (int) id.stableHash() & mask;
        while (buckets[bucket] != 0 && !isAt(buckets[bucket] - 1, id)) {
            bucket = (bucket + 1) & mask;
        }
        return bucket;
    }

    private boolean isAt(int number, EventId id) {
        Chunk chunk = chunks.get(number >>> CHUNK_BITS);
        int i = number & (CHUNK_SIZE - 1);
        return chunk.micros[i] == id.micros()
                && chunk.high[i] == id.serverHigh()
                && chunk.low[i] == id.serverLow()
                && chunk.process[i] == id.process();
    }

    private void grow() {
        buckets = new int[buckets.length * 2];
        for (int number = 0; number < size; number++) {
            buckets[bucketOf(get(number))] = number + 1;
        }
    }

    private static final class Chunk {
        final long[] micros = new long[CHUNK_SIZE];
        final long[] high = new long[CHUNK_SIZE];
        final long[] low = new long[CHUNK_SIZE];
        final int[] process = new int[CHUNK_SIZE];
    }
}
