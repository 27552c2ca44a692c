package photon.idregistry.shard;

import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Map;
import photon.idregistry.replicated.FrozenState;
import photon.idregistry.replicated.SnapshotReader;
import photon.idregistry.replicated.SnapshotWriter;
import photon.idregistry.replicated.StateFile;
import photon.idregistry.table.FrozenTable;
import photon.idregistry.table.IdTable;

/** The form of {@link ShardState} in a snapshot: what is small in one file, the ids behind it. */
final class ShardSnapshot {
    /** A state of any other version is refused. */
    private static final int VERSION = 2;

    private final IdTable ids;
    private final FenceTable fences;
    private final Ownership ownership;
    private final RemovalLog removals;
    private final RestoredShard restored;
    private final Cancellations cancellations;

    /** The parts of a state that are written, and replaced when a snapshot is restored. */
    ShardSnapshot(
            IdTable ids,
            FenceTable fences,
            Ownership ownership,
            RemovalLog removals,
            RestoredShard restored,
            Cancellations cancellations) {
        this.ids = ids;
        this.fences = fences;
        this.ownership = ownership;
        this.removals = removals;
        this.restored = restored;
        this.cancellations = cancellations;
    }

    /** The numbers of a state. */
    record Head(
            long lastIndex,
            long boundaryMicros,
            long maxAcceptedMicros,
            long commitEntries,
            long committedIds) {}

    FrozenState freeze(Head head) {
        byte[] small = StateFile.bytes(out -> write(head, out));
        FrozenTable table = ids.freeze();
        return new FrozenState() {
            @Override
            public void write(SnapshotWriter to) throws IOException {
                ByteArrayOutputStream state = new ByteArrayOutputStream();
                state.writeBytes(small);
                table.write(to, new DataOutputStream(state));
                StateFile.write(state.toByteArray(), to);
            }

            @Override
            public void close() {
                table.close();
            }
        };
    }

    /** All but the ids. */
    private void write(Head head, DataOutput out) throws IOException {
        out.writeByte(VERSION);
        out.writeLong(head.lastIndex());
        out.writeLong(head.boundaryMicros());
        out.writeLong(head.maxAcceptedMicros());
        out.writeLong(head.commitEntries());
        out.writeLong(head.committedIds());
        ownership.writeMap(out);
        out.writeInt(fences.asMap().size());
        for (Map.Entry<Integer, Integer> fence : fences.asMap().entrySet()) {
            out.writeInt(fence.getKey());
            out.writeInt(fence.getValue());
        }
        ownership.writePrepared(out);
        removals.write(out);
        restored.write(out);
        out.writeInt(fences.lostSlots());
        cancellations.write(out);
    }

    Head restore(SnapshotReader from) throws IOException {
        Head[] head = new Head[1];
        StateFile.read(from, in -> head[0] = read(in, from));
        return head[0];
    }

    private Head read(DataInput in, SnapshotReader from) throws IOException {
        StateFile.checkVersion("a shard's snapshot", VERSION, in.readUnsignedByte());
        Head head =
                new Head(in.readLong(), in.readLong(), in.readLong(), in.readLong(), in.readLong());
        ownership.readMap(in);
        fences.clear();
        int slots = in.readInt();
        for (int i = 0; i < slots; i++) {
            fences.raise(in.readInt(), in.readInt());
        }
        ownership.readPrepared(in);
        removals.read(in);
        restored.read(in);
        fences.lose(in.readInt());
        cancellations.read(in);
        ids.restore(in, from, head.boundaryMicros(), head.lastIndex());
        return head;
    }
}
