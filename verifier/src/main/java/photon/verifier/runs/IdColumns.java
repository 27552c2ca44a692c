package photon.verifier.runs;

import java.nio.ByteBuffer;
import java.util.Arrays;
import photon.core.id.EventId;

/**
 * A bounded number of identities with sequences, in arrays: 36 bytes each, and 12 more while they
 * are sorted. Not thread-safe.
 */
final class IdColumns {
    /** Packed size of one. */
    static final int ROW_BYTES = EventId.BYTES + Long.BYTES;

    private static final int NUMBER_BITS = 20;

    /** A number fits beside a timestamp. */
    static final int SIZE_MAX = 1 << NUMBER_BITS;

    private long[] micros;
    private long[] high;
    private long[] low;
    private int[] process;
    private long[] sequence;
    private int size;

    IdColumns(int firstCapacity) {
        micros = new long[firstCapacity];
        high = new long[firstCapacity];
        low = new long[firstCapacity];
        process = new int[firstCapacity];
        sequence = new long[firstCapacity];
    }

    int size() {
        return size;
    }

    void clear() {
        size = 0;
    }

    void add(EventId id, long ofSequence) {
        if (size == micros.length) {
            grow();
        }
        micros[size] = id.micros();
        high[size] = id.serverHigh();
        low[size] = id.serverLow();
        process[size] = id.process();
        sequence[size++] = ofSequence;
    }

    private void grow() {
        int capacity = Math.min(SIZE_MAX, Math.max(64, size * 2));
        micros = Arrays.copyOf(micros, capacity);
        high = Arrays.copyOf(high, capacity);
        low = Arrays.copyOf(low, capacity);
        process = Arrays.copyOf(process, capacity);
        sequence = Arrays.copyOf(sequence, capacity);
    }

    /** {@link #ROW_BYTES} of one. */
    void write(int row, ByteBuffer to) {
        to.putLong(micros[row]).putLong(high[row]).putLong(low[row]).putInt(process[row]);
        to.putLong(sequence[row]);
    }

    void read(ByteBuffer from) {
        add(EventId.read(from), from.getLong());
    }

    EventId id(int row) {
        return new EventId(micros[row], high[row], low[row], process[row]);
    }

    long sequence(int row) {
        return sequence[row];
    }

    int compare(int row, EventId id) {
        int c = Long.compare(micros[row], id.micros());
        if (c == 0) {
            c = Long.compareUnsigned(high[row], id.serverHigh());
        }
        if (c == 0) {
            c = Long.compareUnsigned(low[row], id.serverLow());
        }
        return c != 0 ? c : Integer.compareUnsigned(process[row], id.process());
    }

    /** Of one row here with one there. */
    int compare(int row, IdColumns other, int there) {
        int c = Long.compare(micros[row], other.micros[there]);
        if (c == 0) {
            c = Long.compareUnsigned(high[row], other.high[there]);
        }
        if (c == 0) {
            c = Long.compareUnsigned(low[row], other.low[there]);
        }
        return c != 0 ? c : Integer.compareUnsigned(process[row], other.process[there]);
    }

    /** The numbers of all rows in id order. */
    int[] order() {
        long least = Long.MAX_VALUE;
        long greatest = 0;
        for (int row = 0; row < size; row++) {
            least = Math.min(least, micros[row]);
            greatest = Math.max(greatest, micros[row]);
        }
        // A timestamp and a row's number in one word: most of the order comes from a plain sort.
        int shift = shiftFor(greatest - least);
        long[] keys = new long[size];
        for (int row = 0; row < size; row++) {
            keys[row] = (((micros[row] - least) >>> shift) << NUMBER_BITS) | row;
        }
        Arrays.sort(keys);
        int[] order = new int[size];
        for (int i = 0; i < size; i++) {
            order[i] = (int) keys[i] & (SIZE_MAX - 1);
        }
        for (int from = 0; from < size; ) {
            int to = from + 1;
            while (to < size && keys[to] >>> NUMBER_BITS == keys[from] >>> NUMBER_BITS) {
                to++;
            }
            if (to - from > 1) {
                orderAlike(order, from, to);
            }
            from = to;
        }
        return order;
    }

    /** So many low bits of a timestamp do not fit beside the number. */
    private static int shiftFor(long range) {
        int bits = Long.SIZE - Long.numberOfLeadingZeros(range);
        return Math.max(0, bits - (Long.SIZE - 1 - NUMBER_BITS));
    }

    /** Those whose words were alike, by all that makes an id; few, unless ids are strange. */
    private void orderAlike(int[] order, int from, int to) {
        Integer[] rows = new Integer[to - from];
        for (int i = from; i < to; i++) {
            rows[i - from] = order[i];
        }
        Arrays.sort(rows, (a, b) -> compare(a, this, b));
        for (int i = from; i < to; i++) {
            order[i] = rows[i - from];
        }
    }
}
