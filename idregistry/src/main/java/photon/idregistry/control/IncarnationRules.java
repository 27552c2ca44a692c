package photon.idregistry.control;

import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import photon.core.id.Incarnation;
import photon.core.id.SlotPair;
import photon.proto.v1.AuditKind;
import photon.proto.v1.DroppedPipeline;
import photon.proto.v1.FenceIncarnationRequest;
import photon.proto.v1.FenceIncarnationResponse;
import photon.proto.v1.FenceIncarnationResponse.Silence;
import photon.proto.v1.IncarnationState;
import photon.proto.v1.Progress;
import photon.proto.v1.RegisterRequest;
import photon.proto.v1.RegisterResponse;
import photon.proto.v1.RegisterResponse.Verdict;
import photon.proto.v1.RenewIncarnationRequest;
import photon.proto.v1.RenewIncarnationResponse;
import photon.proto.v1.RetiredDatacenter;
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

    /**
     * @param index of the entry that says so
     */
    RegisterResponse register(long index, RegisterRequest request, Stamp stamp) {
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
        RetiredDatacenter retired =
                pipeline.retired.get(ControlState.datacenter(request.getSlotName()));
        if (retired != null) {
            return answer.setVerdict(Verdict.DATACENTER_RETIRED).setRetired(retired).build();
        }
        if (!restore.mayRegister(pipeline, request.getSlotName())) {
            return answer.setVerdict(Verdict.NOT_REPORTED)
                    .setHeld(RestoreRules.datacenter(request.getSlotName()))
                    .build();
        }
        Slot slot = pipeline.slot(request.getSlotName());
        String output =
                slot == null
                        ? pipeline.outputOf(RestoreRules.datacenter(request.getSlotName()))
                        : slot.outputId();
        if (output != null && !output.equals(request.getOutputId())) {
            return answer.setVerdict(Verdict.OTHER_OUTPUT).setHeld(output).build();
        }
        Slot other = pipeline.slot(SlotPair.of(request.getSlotName()).other(request.getSlotName()));
        boolean again = slot != null && slot.isHighest(Nonces.hex(request.getNonce()));
        if (!again && request.hasRollsFrom() && !mayRollFrom(other, request)) {
            return answer.setVerdict(Verdict.ROLLS_FROM_NOT_LIVE).build();
        }
        if (!again && !request.hasRollsFrom() && other != null) {
            pipeline.raise(other, other.highest() + 1);
        }
        if (slot == null) {
            slot = new Slot(++pipelines.slotsIssued, request.getSlotName(), request.getOutputId());
            pipeline.add(slot);
        }
        return answer.setVerdict(Verdict.REGISTERED)
                .setIncarnation(
                        RegistryProtos.incarnation(
                                incarnation(index, pipeline, slot, request, stamp)))
                .build();
    }

    /**
     * Only the process itself can drain what it rolls from. One that is not live any more was
     * fenced by somebody, who may have the pair's slots now.
     *
     * @param other the other slot of the pair; null: there is none
     */
    private static boolean mayRollFrom(@Nullable Slot other, RegisterRequest request) {
        int generation = request.getRollsFrom().getGeneration();
        if (other == null
                || other.number() != request.getRollsFrom().getSlot()
                || other.isFenced(generation)) {
            return false;
        }
        Slot.Generation from = other.generation(generation);
        return from != null
                && from.state == IncarnationState.OPEN
                && from.address.equals(request.getAddress())
                && from.processId == request.getProcessId()
                && from.startedMicros == request.getStartedMicros();
    }

    /**
     * Only the holder of the highest generation gets its answer again: a nonce of an older one was
     * fenced by whoever came after it.
     */
    private Incarnation incarnation(
            long index, PipelineState pipeline, Slot slot, RegisterRequest request, Stamp stamp) {
        String nonce = Nonces.hex(request.getNonce());
        if (slot.isHighest(nonce)) {
            return new Incarnation(slot.number(), slot.highest());
        }
        // It may commit from now on, and no boundary is beyond the limit as it is now.
        Slot.Generation added =
                slot.add(request, nonce, pipeline.limitMicros, stamp.getEarliestMicros());
        added.renewedIndex = index;
        Incarnation issued = new Incarnation(slot.number(), added.number);
        pipeline.raise(slot, issued.generation());
        audit.add(
                AuditKind.AUDIT_REGISTERED,
                pipeline,
                RegistryProtos.incarnation(issued),
                slot.name()
                        + " at "
                        + request.getAddress()
                        + (request.hasRollsFrom() ? ", rolls from the other slot" : ""));
        return issued;
    }

    /** The answer names no generation and no shard if the incarnation was never issued. */
    FenceIncarnationResponse fence(FenceIncarnationRequest request) {
        FenceIncarnationResponse.Builder answer =
                FenceIncarnationResponse.newBuilder().setProgress(Progress.DECIDED);
        UUID uuid = RegistryProtos.uuid(request.getPipeline());
        Issued issued = find(uuid, request.getIncarnation());
        if (issued == null) {
            return answer.setPipelineDropped(pipelines.isDropped(uuid)).build();
        }
        PipelineState pipeline = issued.pipeline();
        Slot slot = issued.slot();
        Silence silence = silence(request, issued);
        if (silence == Silence.HAS_RENEWED) {
            return answer.setSilence(silence).build();
        }
        if (pipeline.raise(slot, issued.generation().number + 1)) {
            audit.add(
                    AuditKind.AUDIT_FENCED,
                    pipeline,
                    request.getIncarnation(),
                    slot.name() + why(request));
        }
        answer.setSilence(silence);
        answer.setLowestLiveGeneration(slot.lowestLive()).setLife(restore.slotsBelow());
        for (Shard shard : pipeline.map.shards()) {
            answer.addShards(RegistryProtos.shardRef(pipeline.uuid, shard));
        }
        return answer.build();
    }

    /**
     * Judged here, by the log: what the asker has seen of the slot may be long past when its fence
     * comes, and what has renewed since is not silent.
     */
    private static Silence silence(FenceIncarnationRequest request, Issued issued) {
        Slot.Generation generation = issued.generation();
        if (request.getRenewedIndex() == 0) {
            return Silence.SILENCE_UNSPECIFIED;
        }
        if (issued.slot().isFenced(generation.number)) {
            return Silence.FENCED_BEFORE;
        }
        return generation.renewedIndex == request.getRenewedIndex()
                ? Silence.FENCED_NOW
                : Silence.HAS_RENEWED;
    }

    private static String why(FenceIncarnationRequest request) {
        return request.getRenewedIndex() == 0
                ? ""
                : ", silent for %d s"
                        .formatted(TimeUnit.MILLISECONDS.toSeconds(request.getSilentMillis()));
    }

    /** The answer is the state that stands, unspecified if the incarnation was never issued. */
    SetIncarnationStateResponse settle(SetIncarnationStateRequest request) {
        SetIncarnationStateResponse.Builder answer =
                SetIncarnationStateResponse.newBuilder().setProgress(Progress.DECIDED);
        UUID uuid = RegistryProtos.uuid(request.getPipeline());
        Issued issued = find(uuid, request.getIncarnation());
        if (issued == null) {
            return answer.setPipelineDropped(pipelines.isDropped(uuid)).build();
        }
        PipelineState pipeline = issued.pipeline();
        Slot slot = issued.slot();
        Slot.Generation generation = issued.generation();
        int number = generation.number;
        if (generation.state == IncarnationState.OPEN) {
            // A late copy of a clean close must not settle what was reopened since.
            if (request.getState() == IncarnationState.CLEAN && generation.timesReopened == 0) {
                slot.closedClean(generation);
                pipeline.raise(slot, number + 1);
                audit.add(AuditKind.AUDIT_CLOSED, pipeline, request.getIncarnation(), slot.name());
            } else if (request.getState() == IncarnationState.REPAIRED
                    && request.getLife() == restore.slotsBelow()
                    && request.getTimesReopened() == generation.timesReopened
                    && StateRules.mayHoldRows(pipeline, slot, request.getRowsIn())
                    && slot.isFenced(number)) {
                generation.repaired(RegistryProtos.uuid(request.getRowsIn()));
                audit.add(
                        AuditKind.AUDIT_REPAIRED, pipeline, request.getIncarnation(), slot.name());
            }
        }
        return answer.setState(generation.state).build();
    }

    /** Nothing is lowered: a late copy, or an older renewal, changes nothing. */
    RenewIncarnationResponse renew(long index, RenewIncarnationRequest request, Stamp stamp) {
        RenewIncarnationResponse.Builder answer =
                RenewIncarnationResponse.newBuilder().setProgress(Progress.DECIDED);
        UUID uuid = RegistryProtos.uuid(request.getPipeline());
        Issued issued = find(uuid, request.getIncarnation());
        if (issued == null) {
            return answer.setPipelineDropped(pipelines.isDropped(uuid)).build();
        }
        PipelineState pipeline = issued.pipeline();
        Slot.Generation generation = issued.generation();
        boolean fenced = issued.slot().isFenced(generation.number);
        boolean live = generation.state == IncarnationState.OPEN && !fenced;
        if (live) {
            generation.holdMicros = Math.max(generation.holdMicros, request.getHoldMicros());
            generation.heardMicros = Math.max(generation.heardMicros, stamp.getEarliestMicros());
            generation.renewedIndex = index;
            generation.renewsWithinMillis = request.getWithinMillis();
            limits.move(pipeline);
        }
        return answer.setLive(live)
                .setFenced(fenced && generation.state != IncarnationState.CLEAN)
                .setLimitMicros(pipeline.limitMicros)
                .setWantedMicros(limits.wantedMicros(pipeline))
                .build();
    }

    /** Where an incarnation that was issued is written down. */
    private record Issued(PipelineState pipeline, Slot slot, Slot.Generation generation) {}

    /** Null if it was never issued, or its pipeline is not known or was dropped. */
    private @Nullable Issued find(
            @Nullable UUID pipelineUuid, photon.proto.v1.Incarnation incarnation) {
        PipelineState pipeline = pipelines.find(pipelineUuid);
        Slot slot = pipeline == null ? null : pipeline.slot(incarnation.getSlot());
        Slot.Generation generation =
                slot == null ? null : slot.generation(incarnation.getGeneration());
        return pipeline == null || slot == null || generation == null
                ? null
                : new Issued(pipeline, slot, generation);
    }
}
