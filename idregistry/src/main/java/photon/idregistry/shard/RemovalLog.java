package photon.idregistry.shard;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import photon.idregistry.replicated.StateFile;
import photon.proto.v1.AuditKind;
import photon.proto.v1.AuditRecord;
import photon.proto.v1.Incarnation;
import photon.proto.v1.Stamp;

/**
 * Whose ids were removed from a shard lately, at whose wish: for people. One record for what one
 * asker has removed of one incarnation in a row, so that a repair makes one. Part of {@link
 * ShardState}.
 */
final class RemovalLog {
    /** Of the newest; some dozen bytes each. */
    static final int KEPT = 64;

    private static final int RECORD_BYTES_MAX = 1 << 16;

    private final Deque<AuditRecord> records = new ArrayDeque<>();
    private long forgotten;

    /**
     * @param ids those that were held and are not any more; with none there is nothing to record
     */
    void add(long index, Stamp stamp, int slot, int generation, long ids) {
        if (ids == 0) {
            return;
        }
        Incarnation incarnation =
                Incarnation.newBuilder().setSlot(slot).setGeneration(generation).build();
        AuditRecord last = records.peekLast();
        AuditRecord.Builder made =
                AuditRecord.newBuilder()
                        .setKind(AuditKind.AUDIT_REMOVED)
                        .setIncarnation(incarnation)
                        .setStamp(stamp)
                        .setIds(ids);
        if (last != null
                && last.getIncarnation().equals(incarnation)
                && last.getStamp().getActor().equals(stamp.getActor())) {
            records.removeLast();
            made.setIds(last.getIds() + ids);
            made.getStampBuilder().setEarliestMicros(last.getStamp().getEarliestMicros());
        }
        records.add(made.setIndex(index).build());
        while (records.size() > KEPT) {
            records.remove();
            forgotten++;
        }
    }

    /** The newest, in the order of the log. */
    List<AuditRecord> records() {
        return new ArrayList<>(records);
    }

    /** So many were there before these. */
    long forgotten() {
        return forgotten;
    }

    /** The same for the same records, in every process. */
    long contentHash() {
        long hash = forgotten;
        for (AuditRecord row : records) {
            hash = 31 * hash + Arrays.hashCode(row.toByteArray());
        }
        return hash;
    }

    void write(DataOutput out) throws IOException {
        out.writeLong(forgotten);
        out.writeInt(records.size());
        for (AuditRecord row : records) {
            byte[] bytes = row.toByteArray();
            out.writeInt(bytes.length);
            out.write(bytes);
        }
    }

    void read(DataInput in) throws IOException {
        records.clear();
        forgotten = in.readLong();
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            records.add(AuditRecord.parseFrom(StateFile.readBytes(in, RECORD_BYTES_MAX)));
        }
    }
}
