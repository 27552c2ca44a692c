package photon.idregistry.raft;

import java.io.DataInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import photon.idregistry.replicated.FrozenState;
import photon.idregistry.replicated.ReplicatedState;
import photon.idregistry.replicated.SnapshotReader;
import photon.idregistry.replicated.StateFile;

/** The smallest state there is: a sum of int64 entries, and how many there were. */
class SumState implements ReplicatedState {
    /** An entry that this state cannot apply. */
    static final long POISON = 666;

    private long sum;
    private long entries;
    private long lastIndex;

    static byte[] entry(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    static long sumIn(byte[] result) {
        return ByteBuffer.wrap(result).getLong();
    }

    long sum() {
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
        sum += number;
        entries++;
        lastIndex = index;
        return entry(sum);
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
    }
}
