package photon.idregistry.shard;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.idregistry.api.RegistryClient.Commit;

/**
 * The ids of one short span of time and their holders: open addressing with linear probing over
 * longs, without an object an id. Removal shifts the run behind it back, so there are no graves.
 *
 * <p>A row has five longs: microseconds within the bucket and process; the server's upper and lower
 * half; slot and generation; sequence. A slot is never 0, so 0 in the fourth says free.
 */
final class IdBucket {
    private static final int ROW = 5;
    private static final int ROWS_MIN = 8;

    private final long startMicros;
    private long[] rows;
    private int size;

    IdBucket(long startMicros) {
        this(startMicros, ROWS_MIN);
    }

    private IdBucket(long startMicros, int capacity) {
        this.startMicros = startMicros;
        this.rows = new long[capacity * ROW];
    }

    int size() {
        return size;
    }

    private int capacity() {
        return rows.length / ROW;
    }

    private long when(EventId id) {
        return (id.micros() - startMicros) << 32 | Integer.toUnsignedLong(id.process());
    }

    /** The shard is chosen by the hash's low end, so the place is chosen by its high end. */
    private int home(EventId id) {
        return (int) (id.stableHash() >>> 32) & (capacity() - 1);
    }

    private boolean isFree(int row) {
        return rows[row * ROW + 3] == 0;
    }

    /** The id's row, or the free one where it would go. */
    private int rowOf(EventId id) {
        long when = when(id);
        int mask = capacity() - 1;
        int row = home(id);
        while (!isFree(row)) {
            int at = row * ROW;
            if (rows[at] == when
                    && rows[at + 1] == id.serverHigh()
                    && rows[at + 2] == id.serverLow()) {
                return row;
            }
            row = (row + 1) & mask;
        }
        return row;
    }

    @Nullable CommitToken get(EventId id) {
        int row = rowOf(id);
        return isFree(row) ? null : token(row);
    }

    /**
     * @return the holder that was there before, which then stays; null if the id was free
     */
    @Nullable CommitToken putIfAbsent(EventId id, CommitToken token) {
        int row = rowOf(id);
        if (!isFree(row)) {
            return token(row);
        }
        set(row, id, token);
        size++;
        if (size * 2 > capacity()) {
            rebuild(capacity() * 2, startMicros);
        }
        return null;
    }

    private void set(int row, EventId id, CommitToken token) {
        int at = row * ROW;
        rows[at] = when(id);
        rows[at + 1] = id.serverHigh();
        rows[at + 2] = id.serverLow();
        rows[at + 3] = (long) token.slot() << 32 | Integer.toUnsignedLong(token.generation());
        rows[at + 4] = token.sequence();
    }

    void remove(EventId id) {
        int hole = rowOf(id);
        if (isFree(hole)) {
            return;
        }
        size--;
        int mask = capacity() - 1;
        for (int row = (hole + 1) & mask; !isFree(row); row = (row + 1) & mask) {
            // A row may fill the hole unless its home lies behind the hole.
            int fromHome = (row - home(id(row))) & mask;
            int fromHole = (row - hole) & mask;
            if (fromHome >= fromHole) {
                System.arraycopy(rows, row * ROW, rows, hole * ROW, ROW);
                hole = row;
            }
        }
        rows[hole * ROW + 3] = 0;
    }

    /** Keeps the ids from this timestamp on. */
    void dropBelow(long micros) {
        rebuild(capacity(), micros);
    }

    private void rebuild(int newCapacity, long fromMicros) {
        IdBucket anew = new IdBucket(startMicros, newCapacity);
        for (int row = 0; row < capacity(); row++) {
            if (!isFree(row)) {
                EventId id = id(row);
                if (id.micros() >= fromMicros) {
                    anew.set(anew.rowOf(id), id, token(row));
                    anew.size++;
                }
            }
        }
        rows = anew.rows;
        size = anew.size;
    }

    private EventId id(int row) {
        int at = row * ROW;
        return new EventId(
                startMicros + (rows[at] >>> 32), rows[at + 1], rows[at + 2], (int) rows[at]);
    }

    private CommitToken token(int row) {
        int at = row * ROW;
        return new CommitToken((int) (rows[at + 3] >>> 32), (int) rows[at + 3], rows[at + 4]);
    }

    /** Adds what the incarnation's tokens hold, in no order. */
    void collect(int slot, int generation, List<Commit> into) {
        long wanted = (long) slot << 32 | Integer.toUnsignedLong(generation);
        for (int row = 0; row < capacity(); row++) {
            if (rows[row * ROW + 3] == wanted) {
                into.add(new Commit(id(row), token(row)));
            }
        }
    }

    /** The same for the same ids and holders, in whatever order they came. */
    long contentHash() {
        long sum = 0;
        for (int row = 0; row < capacity(); row++) {
            if (!isFree(row)) {
                int at = row * ROW;
                sum += id(row).stableHash() * 31 + mix(rows[at + 3] * 31 + mix(rows[at + 4]));
            }
        }
        return sum;
    }

    private static long mix(long z) {
        z = (z ^ (z >>> 33)) * 0xFF51AFD7ED558CCDL;
        return z ^ (z >>> 33);
    }

    void write(DataOutput out) throws IOException {
        out.writeLong(startMicros);
        out.writeInt(size);
        for (int row = 0; row < capacity(); row++) {
            if (!isFree(row)) {
                for (int i = 0; i < ROW; i++) {
                    out.writeLong(rows[row * ROW + i]);
                }
            }
        }
    }

    static IdBucket read(DataInput in) throws IOException {
        long startMicros = in.readLong();
        int size = in.readInt();
        int capacity = Math.max(ROWS_MIN, Integer.highestOneBit(Math.max(1, size)) * 4);
        IdBucket bucket = new IdBucket(startMicros, capacity);
        long[] row = new long[ROW];
        for (int i = 0; i < size; i++) {
            for (int j = 0; j < ROW; j++) {
                row[j] = in.readLong();
            }
            EventId id = new EventId(startMicros + (row[0] >>> 32), row[1], row[2], (int) row[0]);
            System.arraycopy(row, 0, bucket.rows, bucket.rowOf(id) * ROW, ROW);
            bucket.size++;
        }
        return bucket;
    }

    long startMicros() {
        return startMicros;
    }
}
