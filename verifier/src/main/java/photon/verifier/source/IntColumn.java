package photon.verifier.source;

import java.util.ArrayList;
import java.util.List;

/**
 * A small number for each entry of an {@link IdIndex}, 0 until set; grows without copying. Not
 * thread-safe.
 */
public final class IntColumn {
    private static final int CHUNK_BITS = 12;
    private static final int CHUNK_SIZE = 1 << CHUNK_BITS;

    private final List<int[]> chunks = new ArrayList<>();

    public int get(int row) {
        int chunk = row >>> CHUNK_BITS;
        return chunk < chunks.size() ? chunks.get(chunk)[row & (CHUNK_SIZE - 1)] : 0;
    }

    public void set(int row, int value) {
        while (row >>> CHUNK_BITS >= chunks.size()) {
            chunks.add(new int[CHUNK_SIZE]);
        }
        chunks.get(row >>> CHUNK_BITS)[row & (CHUNK_SIZE - 1)] = value;
    }

    /** Adds and returns the sum. */
    public int add(int row, int value) {
        int sum = Math.addExact(get(row), value);
        set(row, sum);
        return sum;
    }
}
