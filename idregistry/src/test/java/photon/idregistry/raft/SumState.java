package photon.idregistry.raft;

import java.io.DataInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import photon.idregistry.replicated.FrozenState;
import photon.idregistry.replicated.ReplicatedState;
import photon.idregistry.replicated.SnapshotReader;
import photon.idregistry.replicated.StateFile;

/**
 * The smallest state there is: a sum of int64 entries, and how many there were. An entry may bear a
 * token: whoever does not know whether it was applied asks again with the same one, and is told
 * what the first was told.
 */
public class SumState implements ReplicatedState {
    /** An entry that this state cannot apply. */
    static final long POISON = 666;

    private long sum;
    private long entries;
    private long lastIndex;
    private long repeats;
    private final Map<Long, Long> sumByToken = new TreeMap<>();

    static byte[] entry(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    static byte[] entry(long number, long token) {
        return ByteBuffer.allocate(2 * Long.BYTES).putLong(number).putLong(token).array();
    }

    static long sumIn(byte[] result) {
        return ByteBuffer.wrap(result).getLong();
    }

    public long sum() {
        return sum;
    }

    long entries() {
        return entries;
    }

    @Override
    public byte[] apply(long index, ByteBuffer entry) {
        long number = entry.getLong();
        if (number == POISON) {
            throw new IllegalStateException("Expected a number, but got poison");
        }
        checkOnce(index, lastIndex);
        lastIndex = index;
        if (!entry.hasRemaining()) {
            return entry(add(number));
        }
        long token = entry.getLong();
        Long before = sumByToken.get(token);
        long answer = before == null ? add(number) : before;
        repeats += before == null ? 0 : 1;
        sumByToken.put(token, answer);
        return entry(answer);
    }

    /** A token makes the same entry harmless at another index, never at its own. */
    static void checkOnce(long index, long lastIndex) {
        if (index <= lastIndex) {
            throw new IllegalStateException(
                    "Expected an index above " + lastIndex + ", but got " + index);
        }
    }

    /** Entries with the token of one before, of those that were applied here since the start. */
    long repeats() {
        return repeats;
    }

    private long add(long number) {
        sum += number;
        entries++;
        return sum;
    }

    @Override
    public long lastIndex() {
        return lastIndex;
    }

    @Override
    public FrozenState freeze() {
        return StateFile.freeze(
                out -> {
                    out.writeLong(sum);
                    out.writeLong(entries);
                    out.writeLong(lastIndex);
                    out.writeInt(sumByToken.size());
                    for (Map.Entry<Long, Long> token : sumByToken.entrySet()) {
                        out.writeLong(token.getKey());
                        out.writeLong(token.getValue());
                    }
                });
    }

    @Override
    public void restore(SnapshotReader from) throws IOException {
        StateFile.read(from, this::read);
    }

    private void read(DataInput in) throws IOException {
        sum = in.readLong();
        entries = in.readLong();
        lastIndex = in.readLong();
        sumByToken.clear();
        for (int left = in.readInt(); left > 0; left--) {
            sumByToken.put(in.readLong(), in.readLong());
        }
    }
}
