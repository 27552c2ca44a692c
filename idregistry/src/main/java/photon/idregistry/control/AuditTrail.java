package photon.idregistry.control;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import photon.proto.v1.AuditKind;
import photon.proto.v1.AuditRecord;
import photon.proto.v1.Incarnation;
import photon.proto.v1.Stamp;
import photon.registry.api.RegistryProtos;

/**
 * What the control group has decided lately, and who had asked for it: for people. The newest of
 * each sort are kept, and how many older ones there were. Only what changed something is recorded,
 * so that a command that is sent again leaves no second record. Part of {@link ControlState}.
 */
final class AuditTrail {
    /** Of each sort. Some hundred bytes each: some megabyte in all. */
    static final int KEPT = 4_096;

    private final Deque<AuditRecord> acts = new ArrayDeque<>();

    /** Apart: joiners that crash again and again must not push out what people did. */
    private final Deque<AuditRecord> incarnations = new ArrayDeque<>();

    private long forgotten;

    /** Of the entry that is being applied. */
    private long index;

    private Stamp stamp = Stamp.getDefaultInstance();

    /** What is recorded from now on is of this entry. */
    void begin(long entryIndex, Stamp entryStamp) {
        index = entryIndex;
        stamp = entryStamp;
    }

    /** Of no incarnation. */
    void add(AuditKind kind, PipelineState pipeline, String detail) {
        add(record(kind, pipeline, detail).build());
    }

    void add(AuditKind kind, PipelineState pipeline, Incarnation incarnation, String detail) {
        add(record(kind, pipeline, detail).setIncarnation(incarnation).build());
    }

    /** Of no pipeline. */
    void add(AuditKind kind, String detail) {
        add(
                AuditRecord.newBuilder()
                        .setIndex(index)
                        .setStamp(stamp)
                        .setKind(kind)
                        .setDetail(detail)
                        .build());
    }

    private AuditRecord.Builder record(AuditKind kind, PipelineState pipeline, String detail) {
        return AuditRecord.newBuilder()
                .setIndex(index)
                .setStamp(stamp)
                .setKind(kind)
                .setPipeline(RegistryProtos.bytes(pipeline.uuid))
                .setPipelineName(pipeline.name)
                .setDetail(detail);
    }

    private void add(AuditRecord made) {
        Deque<AuditRecord> records = isOfIncarnation(made.getKind()) ? incarnations : acts;
        records.add(made);
        while (records.size() > KEPT) {
            records.remove();
            forgotten++;
        }
    }

    private static boolean isOfIncarnation(AuditKind kind) {
        return switch (kind) {
            case AUDIT_REGISTERED, AUDIT_FENCED, AUDIT_CLOSED, AUDIT_REPAIRED, AUDIT_REOPENED ->
                    true;
            default -> false;
        };
    }

    /** The newest, in the order of the log. */
    List<AuditRecord> records() {
        List<AuditRecord> all = new ArrayList<>(acts);
        all.addAll(incarnations);
        all.sort(
                Comparator.comparingLong(AuditRecord::getIndex)
                        .thenComparingLong(AuditRecord::getPlace));
        return all;
    }

    /**
     * The same for a registry that begins with a backup. Their indexes are of a log that is no
     * more, and above those that come: unsaid, they stay in front, in their order, here as in every
     * replica that reads a snapshot of this one.
     */
    List<AuditRecord> ofBackup() {
        List<AuditRecord> records = records();
        for (int i = 0; i < records.size(); i++) {
            records.set(i, records.get(i).toBuilder().clearIndex().setPlace(i + 1).build());
        }
        return records;
    }

    /** So many were there before these. */
    long forgotten() {
        return forgotten;
    }

    /** As read from a snapshot. */
    void restore(long older, List<AuditRecord> newest) {
        forgotten = older;
        acts.clear();
        incarnations.clear();
        newest.forEach(this::add);
    }
}
