package photon.verifier.source;

import java.util.ArrayList;
import java.util.List;

/**
 * A number for each entry of an {@link IdIndex}, 0 until set; grows without copying. Not
 * thread-safe.
 */
public final class LongColumn {
    private static final int CHUNK_BITS = 12;
    private static final int CHUNK_SIZE = 1 << CHUNK_BITS;

    private final List<long[]> chunks = new ArrayList<>();

    public long get(int row) {
        int chunk = row >>> CHUNK_BITS;
        return chunk < chunks.size() ? chunks.get(chunk)[row & (CHUNK_SIZE - 1)] : 0;
    }

    public void set(int row, long value) {
        while (row >>> CHUNK_BITS >= chunks.size()) {
            chunks.add(new long[CHUNK_SIZE]);
        }
        chunks.get(row >>> CHUNK_BITS)[row & (CHUNK_SIZE - 1)] = value;
    }
}
