package photon.idregistry.control;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import photon.core.error.BugException;
import photon.core.hash.Sha256;
import photon.proto.v1.AuditKind;
import photon.proto.v1.DatacenterReport;
import photon.proto.v1.IncarnationState;
import photon.proto.v1.Progress;
import photon.proto.v1.ReportState;
import photon.proto.v1.RestoreBegin;
import photon.proto.v1.RestoreLost;
import photon.proto.v1.RestorePhase;
import photon.proto.v1.RestorePiece;
import photon.proto.v1.RestoreReported;
import photon.proto.v1.RestoreRequest;
import photon.proto.v1.RestoreResponse;
import photon.proto.v1.RestoreResponse.Verdict;
import photon.proto.v1.RestoreStatus;
import photon.proto.v1.SlotSeen;
import photon.registry.api.RegistryProtos;
import photon.registry.api.ShardMap;

/**
 * How a backup becomes a registry again (docs/protocol.md section 10): the control group's state
 * comes in pieces, then the shards take the backup's ids, then each datacenter reports what it has
 * published, and only then is anything accepted. Every step may be repeated, and nothing leads
 * back. Part of {@link ControlState}.
 */
final class RestoreRules {
    /** Of a control group's state. */
    static final int BYTES_MAX = 256 << 20;

    /**
     * So many generations of each slot, so many slots and so many versions of a map may have been
     * issued behind the backup, by a registry that nobody can ask any more. None is issued twice.
     */
    static final int JUMP = 1_000_000;

    /** No generation and no slot beyond is taken for one: there is room for more above. */
    static final int NUMBER_MAX = Integer.MAX_VALUE - 2 * JUMP;

    private static final int SHA_BYTES = 32;

    /** What a restore changes of the control group. */
    interface Registry {
        /** True if nothing was ever decided in it. */
        boolean isEmpty();

        /**
         * Replaces all pipelines by those of another registry's snapshot.
         *
         * @return slots that were issued there
         * @throws IOException if it cannot be read: nothing was changed
         */
        int load(byte[] snapshot) throws IOException;

        void slotsIssued(int issued);

        Collection<PipelineState> pipelines();

        AuditTrail audit();
    }

    private final Registry registry;
    private RestoreStatus status = RestoreStatus.getDefaultInstance();

    /** While they come in. */
    private ByteString received = ByteString.EMPTY;

    /** By pipeline and datacenter. */
    private final Map<Key, DatacenterReport> reports = new LinkedHashMap<>();

    private record Key(ByteString pipeline, String datacenter) {}

    RestoreRules(Registry registry) {
        this.registry = registry;
    }

    /** The datacenter that a slot is of: what its name has before the first slash. */
    static String datacenter(String slotName) {
        int slash = slotName.indexOf('/');
        return slash < 0 ? slotName : slotName.substring(0, slash);
    }

    /** True while nothing but the restore is decided. */
    boolean isUnderWay() {
        return switch (status.getPhase()) {
            case RESTORE_RECEIVING, RESTORE_LOADING, RESTORE_REPORTING -> true;
            default -> false;
        };
    }

    /** Slots up to this number are of before the restore; 0: there was none. */
    int slotsBelow() {
        return status.getSlotsBelow();
    }

    /** True if pipelines may be opened and set: they stand as they were. */
    boolean isReporting() {
        return status.getPhase() == RestorePhase.RESTORE_REPORTING;
    }

    /** Whether the shards of the pipeline were loaded from a backup: a map may have been lost. */
    boolean wasRestored(UUID pipeline) {
        ByteString uuid = RegistryProtos.bytes(pipeline);
        return reports.keySet().stream().anyMatch(key -> key.pipeline().equals(uuid));
    }

    /** False if what the slot's datacenter has published may not be known here. */
    boolean mayRegister(PipelineState pipeline, String slotName) {
        if (!wasRestored(pipeline.uuid)) {
            return true;
        }
        DatacenterReport report =
                reports.get(new Key(RegistryProtos.bytes(pipeline.uuid), datacenter(slotName)));
        return report != null && report.getState() == ReportState.REPORT_DONE;
    }

    /** What stands, without the pieces. */
    RestoreStatus status() {
        return status.toBuilder()
                .setReceived(received.size())
                .addAllReports(reports.values())
                .build();
    }

    /** As it stands in a snapshot. */
    RestoreStatus stored() {
        return status().toBuilder().setContent(received).build();
    }

    /** As read from a snapshot. */
    void restore(RestoreStatus stored) {
        received = stored.getContent();
        status = stored.toBuilder().clearContent().clearReports().clearReceived().build();
        reports.clear();
        stored.getReportsList().forEach(report -> reports.put(key(report), report));
    }

    private static Key key(DatacenterReport report) {
        return new Key(report.getPipeline(), report.getDatacenter());
    }

    RestoreResponse decide(RestoreRequest request) {
        if (request.hasLook()) {
            return answer(Verdict.STANDS);
        }
        if (request.hasBegin()) {
            return begin(request.getRestore(), request.getBegin());
        }
        if (status.getPhase() == RestorePhase.RESTORE_PHASE_UNSPECIFIED
                || !request.getRestore().equals(status.getRestore())) {
            return answer(Verdict.OTHER_PHASE);
        }
        return switch (request.getStepCase()) {
            case PIECE -> piece(request.getPiece());
            case LOADED -> loaded();
            case REPORTED -> reported(request.getReported());
            case LOST -> lost(request.getLost());
            default -> answer(Verdict.OTHER_PHASE);
        };
    }

    private RestoreResponse answer(Verdict verdict) {
        return RestoreResponse.newBuilder()
                .setProgress(Progress.DECIDED)
                .setVerdict(verdict)
                .setStatus(status())
                .build();
    }

    private RestoreResponse begin(ByteString restore, RestoreBegin begin) {
        if (status.getPhase() != RestorePhase.RESTORE_PHASE_UNSPECIFIED) {
            return restore.equals(status.getRestore())
                    ? named(begin.getDatacentersList())
                    : answer(Verdict.NOT_EMPTY);
        }
        if (!registry.isEmpty()) {
            return answer(Verdict.NOT_EMPTY);
        }
        if (restore.size() != 16
                || begin.getBytes() <= 0
                || begin.getBytes() > BYTES_MAX
                || begin.getAbove() < 0
                || begin.getAbove() > NUMBER_MAX
                || begin.getSha256().size() != SHA_BYTES) {
            return answer(Verdict.UNREADABLE);
        }
        status =
                RestoreStatus.newBuilder()
                        .setRestore(restore)
                        .setPhase(RestorePhase.RESTORE_RECEIVING)
                        .setBytes(begin.getBytes())
                        .setSha256(begin.getSha256())
                        .addAllDatacenters(new TreeSet<>(begin.getDatacentersList()))
                        .setAbove(begin.getAbove())
                        .build();
        return answer(Verdict.STANDS);
    }

    /** Those that were forgotten are waited for as well, as long as anybody is. */
    private RestoreResponse named(List<String> datacenters) {
        Set<String> added = new TreeSet<>(datacenters);
        added.removeAll(status.getDatacentersList());
        List<Key> unknown = new ArrayList<>();
        for (PipelineState pipeline : registry.pipelines()) {
            if (wasRestored(pipeline.uuid)) {
                added.forEach(dc -> unknown.add(new Key(RegistryProtos.bytes(pipeline.uuid), dc)));
            }
        }
        unknown.removeAll(reports.keySet());
        if (status.getPhase() == RestorePhase.RESTORE_DONE) {
            Set<String> late = new TreeSet<>();
            unknown.forEach(key -> late.add(key.datacenter()));
            return late.isEmpty()
                    ? answer(Verdict.STANDS)
                    : answer(Verdict.DATACENTERS_LATE).toBuilder().addAllMissing(late).build();
        }
        if (!added.isEmpty()) {
            status = status.toBuilder().addAllDatacenters(added).build();
            unknown.forEach(key -> put(key, ReportState.REPORT_WAITED_FOR, 0));
            registry.audit()
                    .add(AuditKind.AUDIT_RESTORE_BEGUN, "datacenters %s as well".formatted(added));
        }
        return answer(Verdict.STANDS);
    }

    /** Pieces come in order; one that came before changes nothing. */
    private RestoreResponse piece(RestorePiece piece) {
        if (status.getPhase() != RestorePhase.RESTORE_RECEIVING
                || piece.getOffset() != received.size()) {
            return answer(Verdict.STANDS);
        }
        received = received.concat(piece.getBytes());
        return received.size() < status.getBytes() ? answer(Verdict.STANDS) : open();
    }

    private RestoreResponse open() {
        byte[] content = received.toByteArray();
        received = ByteString.EMPTY;
        int slots;
        try {
            if (content.length != status.getBytes()
                    || !Sha256.of(content).equals(status.getSha256())) {
                return answer(Verdict.UNREADABLE);
            }
            slots = registry.load(content);
        } catch (IOException | BugException e) {
            return answer(Verdict.UNREADABLE);
        }
        int slotsBelow = Math.toIntExact(jump(slots));
        registry.slotsIssued(slotsBelow);
        Set<String> all = new LinkedHashSet<>(status.getDatacentersList());
        for (PipelineState pipeline : registry.pipelines()) {
            raise(pipeline);
            Set<String> expected = new TreeSet<>(all);
            pipeline.slots().forEach(slot -> expected.add(datacenter(slot.name())));
            expected.forEach(dc -> put(pipeline, dc, ReportState.REPORT_WAITED_FOR, 0));
        }
        status =
                status.toBuilder()
                        .setPhase(RestorePhase.RESTORE_LOADING)
                        .setSlotsBelow(slotsBelow)
                        .build();
        registry.audit()
                .add(
                        AuditKind.AUDIT_RESTORE_BEGUN,
                        "pipelines %s, datacenters %s"
                                .formatted(
                                        registry.pipelines().stream().map(p -> p.name).toList(),
                                        all));
        return answer(Verdict.STANDS);
    }

    /** What nobody has issued, neither behind the backup nor since an earlier restore of it. */
    private long jump(long issued) {
        // The clock outruns what is issued: a jump from there would meet a later restore's clock.
        return status.getAbove() > issued ? status.getAbove() : issued + JUMP;
    }

    /**
     * Nobody who was issued anything by the lost registry, before the backup or behind it, is live;
     * and who has heard of a newer map than the backup's follows this one all the same. What was
     * repaired is repaired again: the backup may hold ids that were removed by rows that are no
     * more, and what is not published of them would stay held forever. A datacenter that was
     * retired before the backup had no such row left, and has nobody who repairs.
     */
    private void raise(PipelineState pipeline) {
        for (Slot slot : pipeline.slots()) {
            slot.raiseFloor(Math.toIntExact(jump(slot.highest())));
            pipeline.raise(slot, slot.floor() + 1);
            boolean retired = pipeline.retired.containsKey(datacenter(slot.name()));
            for (Slot.Generation generation : slot.generations()) {
                if (generation.state == IncarnationState.REPAIRED && !retired) {
                    generation.state = IncarnationState.OPEN;
                    generation.rowsIn = null;
                }
            }
        }
        pipeline.reshards.open().forEach(pipeline.reshards::abort);
        pipeline.map = new ShardMap(jump(pipeline.map.version()), pipeline.map.epochs());
    }

    private void put(PipelineState pipeline, String datacenter, ReportState state, long ids) {
        put(new Key(RegistryProtos.bytes(pipeline.uuid), datacenter), state, ids);
    }

    private void put(Key key, ReportState state, long ids) {
        reports.put(
                key,
                DatacenterReport.newBuilder()
                        .setPipeline(key.pipeline())
                        .setDatacenter(key.datacenter())
                        .setState(state)
                        .setIds(ids)
                        .build());
    }

    private RestoreResponse loaded() {
        if (status.getPhase() == RestorePhase.RESTORE_RECEIVING) {
            return answer(Verdict.OTHER_PHASE);
        }
        if (status.getPhase() == RestorePhase.RESTORE_LOADING) {
            status = status.toBuilder().setPhase(RestorePhase.RESTORE_REPORTING).build();
            endIfAllReported();
        }
        return answer(Verdict.STANDS);
    }

    private @Nullable PipelineState pipeline(ByteString uuid) {
        return registry.pipelines().stream()
                .filter(pipeline -> RegistryProtos.bytes(pipeline.uuid).equals(uuid))
                .findFirst()
                .orElse(null);
    }

    /** Also of a datacenter that was declared lost, or never named, behind the end. */
    private RestoreResponse reported(RestoreReported request) {
        if (status.getPhase() != RestorePhase.RESTORE_REPORTING
                && status.getPhase() != RestorePhase.RESTORE_DONE) {
            return answer(Verdict.OTHER_PHASE);
        }
        PipelineState pipeline = pipeline(request.getPipeline());
        // One that was made since has nothing to report, and nobody is kept out of it.
        if (pipeline == null || !wasRestored(pipeline.uuid) || request.getDatacenter().isEmpty()) {
            return answer(Verdict.UNKNOWN_REPORT);
        }
        DatacenterReport before =
                reports.get(new Key(request.getPipeline(), request.getDatacenter()));
        if (before != null && before.getState() == ReportState.REPORT_DONE) {
            return answer(Verdict.STANDS);
        }
        for (Slot slot : pipeline.slots()) {
            // An empty one would report nothing, and all would be joined again.
            if (datacenter(slot.name()).equals(request.getDatacenter())
                    && !slot.outputId().equals(request.getOutputId())) {
                return answer(Verdict.OTHER_OUTPUT).toBuilder().addMissing(slot.outputId()).build();
            }
        }
        List<String> beyond = beyond(request.getSlotsList());
        if (!beyond.isEmpty()) {
            return answer(Verdict.UNKNOWN_REPORT).toBuilder().addAllMissing(beyond).build();
        }
        if (request.getCheck()) {
            return answer(Verdict.STANDS);
        }
        raise(pipeline, request.getSlotsList());
        if (status.getPhase() == RestorePhase.RESTORE_REPORTING) {
            // Not behind the end: a live joiner may have promised less.
            settled(pipeline, request.getSettledBelowMicros());
        }
        put(pipeline, request.getDatacenter(), ReportState.REPORT_DONE, request.getIds());
        registry.audit()
                .add(
                        AuditKind.AUDIT_REPORTED,
                        pipeline,
                        "%s, %d ids".formatted(request.getDatacenter(), request.getIds()));
        endIfAllReported();
        return answer(Verdict.STANDS);
    }

    /** What cannot be of this registry's past, slot/generation: a new one could be the same. */
    private List<String> beyond(List<SlotSeen> seen) {
        List<String> beyond = new ArrayList<>();
        for (SlotSeen one : seen) {
            if (one.getSlot() <= 0
                    || one.getSlot() > status.getSlotsBelow()
                    || one.getGeneration() <= 0
                    || one.getGeneration() > NUMBER_MAX) {
                beyond.add(one.getSlot() + "/" + one.getGeneration());
            }
        }
        return beyond;
    }

    /** Above what has left anything in a datacenter's output. */
    private void raise(PipelineState pipeline, List<SlotSeen> seen) {
        for (SlotSeen one : seen) {
            Slot slot = pipeline.slot(one.getSlot());
            if (slot != null) {
                slot.raiseFloor(one.getGeneration());
                if (slot.lowestLive() <= one.getGeneration()) {
                    pipeline.raise(slot, one.getGeneration() + 1);
                }
            }
        }
    }

    /**
     * What was published below is in no manifest any more, and so in no report. No joiner commits
     * below the limit that it finds when it registers, which it cannot before the end.
     */
    private static void settled(PipelineState pipeline, long belowMicros) {
        if (belowMicros > 0) {
            pipeline.limitMicros = Math.max(pipeline.limitMicros, belowMicros);
        }
    }

    private RestoreResponse lost(RestoreLost request) {
        boolean found = false;
        for (DatacenterReport report : new ArrayList<>(reports.values())) {
            PipelineState pipeline = pipeline(report.getPipeline());
            if (pipeline == null
                    || !report.getDatacenter().equals(request.getDatacenter())
                    || !(request.getPipeline().isEmpty()
                            || request.getPipeline().equals(report.getPipeline()))) {
                continue;
            }
            found = true;
            if (report.getState() == ReportState.REPORT_WAITED_FOR) {
                put(pipeline, request.getDatacenter(), ReportState.REPORT_LOST, 0);
                registry.audit()
                        .add(AuditKind.AUDIT_DATACENTER_LOST, pipeline, request.getDatacenter());
            }
        }
        if (!found) {
            return answer(Verdict.UNKNOWN_REPORT);
        }
        endIfAllReported();
        return answer(Verdict.STANDS);
    }

    private void endIfAllReported() {
        if (status.getPhase() == RestorePhase.RESTORE_REPORTING
                && reports.values().stream()
                        .noneMatch(r -> r.getState() == ReportState.REPORT_WAITED_FOR)) {
            status = status.toBuilder().setPhase(RestorePhase.RESTORE_DONE).build();
            registry.audit().add(AuditKind.AUDIT_RESTORED, "");
        }
    }
}
