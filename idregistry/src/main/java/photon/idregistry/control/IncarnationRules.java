package photon.idregistry.control;

import java.util.UUID;
import photon.core.id.Incarnation;
import photon.proto.v1.AuditKind;
import photon.proto.v1.DroppedPipeline;
import photon.proto.v1.FenceIncarnationRequest;
import photon.proto.v1.FenceIncarnationResponse;
import photon.proto.v1.IncarnationState;
import photon.proto.v1.Progress;
import photon.proto.v1.RegisterRequest;
import photon.proto.v1.RegisterResponse;
import photon.proto.v1.RegisterResponse.Verdict;
import photon.proto.v1.RenewIncarnationRequest;
import photon.proto.v1.RenewIncarnationResponse;
import photon.proto.v1.SetIncarnationStateRequest;
import photon.proto.v1.SetIncarnationStateResponse;
import photon.proto.v1.Stamp;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.RegistryProtos;

/**
 * How an incarnation of a joiner is registered, renewed, fenced and settled (docs/protocol.md
 * sections 1 and 5). Part of {@link ControlState}.
 */
final class IncarnationRules {
    private final Pipelines pipelines;
    private final BoundaryLimits limits;
    private final RestoreRules restore;
    private final AuditTrail audit;

    IncarnationRules(
            Pipelines pipelines, BoundaryLimits limits, RestoreRules restore, AuditTrail audit) {
        this.pipelines = pipelines;
        this.limits = limits;
        this.restore = restore;
        this.audit = audit;
    }

    RegisterResponse register(RegisterRequest request, Stamp stamp) {
        RegisterResponse.Builder answer =
                RegisterResponse.newBuilder().setProgress(Progress.DECIDED);
        UUID uuid = RegistryProtos.uuid(request.getPipeline());
        PipelineState pipeline = pipelines.find(uuid);
        DroppedPipeline gone = pipelines.dropped(uuid);
        if (gone != null) {
            return answer.setVerdict(Verdict.PIPELINE_DROPPED).setHeld(gone.getName()).build();
        }
        if (pipeline == null) {
            return answer.setVerdict(Verdict.UNKNOWN_PIPELINE).build();
        }
        if (!pipeline.identityFingerprint.equals(request.getIdentityFingerprint())) {
            return answer.setVerdict(Verdict.OTHER_IDENTITY)
                    .setHeld(pipeline.identityFingerprint)
                    .build();
        }
        if (!restore.mayRegister(pipeline, request.getSlotName())) {
            return answer.setVerdict(Verdict.NOT_REPORTED)
                    .setHeld(RestoreRules.datacenter(request.getSlotName()))
                    .build();
        }
        Slot slot = pipeline.slot(request.getSlotName());
        if (slot != null && !slot.outputId().equals(request.getOutputId())) {
            return answer.setVerdict(Verdict.OTHER_OUTPUT).setHeld(slot.outputId()).build();
        }
        if (slot == null) {
            slot = new Slot(++pipelines.slotsIssued, request.getSlotName(), request.getOutputId());
            pipeline.add(slot);
        }
        return answer.setVerdict(Verdict.REGISTERED)
                .setIncarnation(toProto(incarnation(pipeline, slot, request, stamp)))
                .build();
    }

    /**
     * Only the holder of the highest generation gets its answer again: a nonce of an older one was
     * fenced by whoever came after it.
     */
    private Incarnation incarnation(
            PipelineState pipeline, Slot slot, RegisterRequest request, Stamp stamp) {
        String nonce = ControlState.hex(request.getNonce());
        if (slot.isHighest(nonce)) {
            return new Incarnation(slot.number(), slot.highest());
        }
        // It may commit from now on, and no boundary is beyond the limit as it is now.
        Incarnation issued =
                slot.add(request, nonce, pipeline.limitMicros, stamp.getEarliestMicros());
        pipeline.raise(slot, issued.generation());
        audit.add(
                AuditKind.AUDIT_REGISTERED,
                pipeline,
                toProto(issued),
                slot.name() + " at " + request.getAddress());
        return issued;
    }

    /** The answer names no generation and no shard if the incarnation was never issued. */
    FenceIncarnationResponse fence(FenceIncarnationRequest request) {
        FenceIncarnationResponse.Builder answer =
                FenceIncarnationResponse.newBuilder().setProgress(Progress.DECIDED);
        UUID uuid = RegistryProtos.uuid(request.getPipeline());
        PipelineState pipeline = pipelines.find(uuid);
        Slot slot = pipeline == null ? null : pipeline.slot(request.getIncarnation().getSlot());
        int generation = request.getIncarnation().getGeneration();
        if (pipeline == null || slot == null || slot.generation(generation) == null) {
            return answer.setPipelineDropped(pipelines.isDropped(uuid)).build();
        }
        if (pipeline.raise(slot, generation + 1)) {
            audit.add(AuditKind.AUDIT_FENCED, pipeline, request.getIncarnation(), slot.name());
        }
        answer.setLowestLiveGeneration(slot.lowestLive()).setLife(restore.slotsBelow());
        for (Shard shard : pipeline.map.shards()) {
            answer.addShards(RegistryProtos.shardRef(pipeline.uuid, shard));
        }
        return answer.build();
    }

    /** The answer is the state that stands, unspecified if the incarnation was never issued. */
    SetIncarnationStateResponse settle(SetIncarnationStateRequest request) {
        SetIncarnationStateResponse.Builder answer =
                SetIncarnationStateResponse.newBuilder().setProgress(Progress.DECIDED);
        UUID uuid = RegistryProtos.uuid(request.getPipeline());
        PipelineState pipeline = pipelines.find(uuid);
        Slot slot = pipeline == null ? null : pipeline.slot(request.getIncarnation().getSlot());
        int number = request.getIncarnation().getGeneration();
        Slot.Generation generation = slot == null ? null : slot.generation(number);
        if (pipeline == null || slot == null || generation == null) {
            return answer.setPipelineDropped(pipelines.isDropped(uuid)).build();
        }
        if (generation.state == IncarnationState.OPEN) {
            if (request.getState() == IncarnationState.CLEAN) {
                generation.settle(IncarnationState.CLEAN);
                pipeline.raise(slot, number + 1);
                audit.add(AuditKind.AUDIT_CLOSED, pipeline, request.getIncarnation(), slot.name());
            } else if (request.getState() == IncarnationState.REPAIRED
                    && request.getLife() == restore.slotsBelow()
                    && slot.isFenced(number)) {
                generation.settle(IncarnationState.REPAIRED);
                audit.add(
                        AuditKind.AUDIT_REPAIRED, pipeline, request.getIncarnation(), slot.name());
            }
        }
        return answer.setState(generation.state).build();
    }

    /** Nothing is lowered: a late copy, or an older renewal, changes nothing. */
    RenewIncarnationResponse renew(RenewIncarnationRequest request, Stamp stamp) {
        RenewIncarnationResponse.Builder answer =
                RenewIncarnationResponse.newBuilder().setProgress(Progress.DECIDED);
        UUID uuid = RegistryProtos.uuid(request.getPipeline());
        PipelineState pipeline = pipelines.find(uuid);
        Slot slot = pipeline == null ? null : pipeline.slot(request.getIncarnation().getSlot());
        int number = request.getIncarnation().getGeneration();
        Slot.Generation generation = slot == null ? null : slot.generation(number);
        if (pipeline == null || slot == null || generation == null) {
            return answer.setPipelineDropped(pipelines.isDropped(uuid)).build();
        }
        boolean live = generation.state == IncarnationState.OPEN && !slot.isFenced(number);
        if (live) {
            generation.holdMicros = Math.max(generation.holdMicros, request.getHoldMicros());
            generation.heardMicros = Math.max(generation.heardMicros, stamp.getEarliestMicros());
            limits.move(pipeline);
        }
        return answer.setLive(live)
                .setLimitMicros(pipeline.limitMicros)
                .setWantedMicros(limits.wantedMicros(pipeline))
                .build();
    }

    private static photon.proto.v1.Incarnation toProto(Incarnation incarnation) {
        return photon.proto.v1.Incarnation.newBuilder()
                .setSlot(incarnation.slot())
                .setGeneration(incarnation.generation())
                .build();
    }
}
