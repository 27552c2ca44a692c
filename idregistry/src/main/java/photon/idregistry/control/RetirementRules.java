package photon.idregistry.control;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import photon.proto.v1.AuditKind;
import photon.proto.v1.DatacenterSeen;
import photon.proto.v1.IncarnationInfo;
import photon.proto.v1.IncarnationState;
import photon.proto.v1.Progress;
import photon.proto.v1.RetireDatacenterRequest;
import photon.proto.v1.RetireDatacenterResponse;
import photon.proto.v1.RetireDatacenterResponse.Verdict;
import photon.proto.v1.RetiredDatacenter;
import photon.proto.v1.Stamp;
import photon.registry.api.RegistryProtos;

/**
 * Decides when a datacenter may take part no more (docs/protocol.md section 1): when nothing is
 * left that only it could bring into an output. Part of {@link ControlState}.
 */
final class RetirementRules {
    private final Pipelines pipelines;
    private final AuditTrail audit;

    RetirementRules(Pipelines pipelines, AuditTrail audit) {
        this.pipelines = pipelines;
        this.audit = audit;
    }

    RetireDatacenterResponse retire(RetireDatacenterRequest request, Stamp stamp) {
        RetireDatacenterResponse.Builder answer =
                RetireDatacenterResponse.newBuilder().setProgress(Progress.DECIDED);
        UUID uuid = RegistryProtos.uuid(request.getPipeline());
        PipelineState pipeline = pipelines.find(uuid);
        if (pipeline == null) {
            return answer.setVerdict(Verdict.UNKNOWN_PIPELINE)
                    .setPipelineDropped(pipelines.isDropped(uuid))
                    .build();
        }
        String datacenter = request.getDatacenter();
        RetiredDatacenter before = pipeline.retired.get(datacenter);
        if (before != null) {
            return answer.setVerdict(Verdict.RETIRED).setRetired(before).setBefore(true).build();
        }
        SortedSet<String> others = datacenters(pipeline);
        if (!others.remove(datacenter)) {
            return answer.setVerdict(Verdict.UNKNOWN_DATACENTER).build();
        }
        others.removeAll(pipeline.retired.keySet());
        if (others.isEmpty()) {
            return answer.setVerdict(Verdict.LAST_DATACENTER).build();
        }
        List<IncarnationInfo> all = incarnations(pipeline, datacenter);
        List<IncarnationInfo> open =
                all.stream().filter(info -> info.getState() == IncarnationState.OPEN).toList();
        if (!open.isEmpty()) {
            return answer.setVerdict(Verdict.INCARNATIONS_OPEN).addAllOpen(open).build();
        }
        if (!request.getSeen().equals(seen(pipeline, datacenter))) {
            return answer.setVerdict(Verdict.SEEN_CHANGED).build();
        }
        RetiredDatacenter retired =
                RetiredDatacenter.newBuilder()
                        .setDatacenter(datacenter)
                        .setRetiredMicros(stamp.getLatestMicros())
                        .setActor(stamp.getActor())
                        .build();
        pipeline.retired.put(datacenter, retired);
        audit.add(
                AuditKind.AUDIT_DATACENTER_RETIRED,
                pipeline,
                "%s, of %d incarnations".formatted(datacenter, all.size()));
        return answer.setVerdict(Verdict.RETIRED).setRetired(retired).build();
    }

    /** What somebody sees who lists its incarnations and asks for its dispatcher's state now. */
    static DatacenterSeen seen(PipelineState pipeline, String datacenter) {
        long generations = 0;
        long reopened = 0;
        for (Slot slot : slots(pipeline, datacenter)) {
            int last = 0;
            for (Slot.Generation generation : slot.generations()) {
                last = generation.number;
                reopened += generation.timesReopened;
            }
            generations += last;
        }
        return DatacenterSeen.newBuilder()
                .setGenerations(generations)
                .setReopened(reopened)
                .setState(RegistryProtos.bytesOrNone(pipeline.states.of(datacenter)))
                .build();
    }

    /** All of which something was ever registered. */
    static SortedSet<String> datacenters(PipelineState pipeline) {
        SortedSet<String> names = new TreeSet<>(pipeline.states.datacenters());
        pipeline.slots().forEach(slot -> names.add(ControlState.datacenter(slot.name())));
        return names;
    }

    private static List<IncarnationInfo> incarnations(PipelineState pipeline, String datacenter) {
        List<IncarnationInfo> all = new ArrayList<>();
        slots(pipeline, datacenter).forEach(slot -> all.addAll(slot.describe()));
        return all;
    }

    private static List<Slot> slots(PipelineState pipeline, String datacenter) {
        return pipeline.slots().stream()
                .filter(slot -> ControlState.datacenter(slot.name()).equals(datacenter))
                .toList();
    }
}
