package photon.idregistry.control;

import java.util.List;
import java.util.UUID;
import photon.proto.v1.AuditKind;
import photon.proto.v1.DropPipelineRequest;
import photon.proto.v1.DropPipelineResponse;
import photon.proto.v1.DroppedPipeline;
import photon.proto.v1.IncarnationInfo;
import photon.proto.v1.IncarnationState;
import photon.proto.v1.OpenPipelineRequest;
import photon.proto.v1.OpenPipelineResponse;
import photon.proto.v1.PipelineSettings;
import photon.proto.v1.Progress;
import photon.proto.v1.SetPipelineRequest;
import photon.proto.v1.SetPipelineResponse;
import photon.registry.api.RegistryProtos;
import photon.registry.api.ShardMap;

/**
 * How a pipeline is opened, set and dropped: what its settings may be, and when it may go
 * (docs/protocol.md section 1). Part of {@link ControlState}.
 */
final class PipelineRules {
    private final Pipelines pipelines;
    private final BoundaryLimits limits;
    private final AuditTrail audit;

    PipelineRules(Pipelines pipelines, BoundaryLimits limits, AuditTrail audit) {
        this.pipelines = pipelines;
        this.limits = limits;
        this.audit = audit;
    }

    /**
     * The pipeline of that name as it stands, made if it is not there. The answer has none if the
     * request cannot make one: no right name, no UUID or another pipeline's, no shards or too many,
     * settings that cannot be. A UUID that was dropped is refused, whatever the name.
     */
    OpenPipelineResponse open(OpenPipelineRequest request) {
        OpenPipelineResponse.Builder answer =
                OpenPipelineResponse.newBuilder().setProgress(Progress.DECIDED);
        PipelineState pipeline = pipelines.named(request.getName());
        if (pipeline == null) {
            UUID uuid = RegistryProtos.uuid(request.getUuid());
            DroppedPipeline gone = pipelines.dropped(uuid);
            if (gone != null) {
                return answer.setVerdict(OpenPipelineResponse.Verdict.UUID_DROPPED)
                        .setDropped(gone)
                        .build();
            }
            int shards = request.getShards();
            if (uuid == null
                    || pipelines.find(uuid) != null
                    || !PipelineLimits.NAME.matcher(request.getName()).matches()
                    || shards < 1
                    || shards > ShardMap.SHARDS_MAX
                    || !mayBe(request.getSettings())) {
                return answer.setVerdict(OpenPipelineResponse.Verdict.BAD_REQUEST).build();
            }
            pipeline =
                    new PipelineState(
                            uuid,
                            request.getName(),
                            request.getIdentityFingerprint(),
                            ShardMap.initial(shards),
                            request.getSettings());
            pipelines.add(pipeline);
            limits.move(pipeline);
            answer.setMade(true);
            audit.add(
                    AuditKind.AUDIT_PIPELINE_CREATED,
                    pipeline,
                    shards + " shards, " + text(pipeline.settings));
        }
        return answer.setVerdict(OpenPipelineResponse.Verdict.OPENED)
                .setPipeline(limits.view(pipeline).toProto())
                .build();
    }

    SetPipelineResponse set(SetPipelineRequest request) {
        SetPipelineResponse.Builder answer =
                SetPipelineResponse.newBuilder().setProgress(Progress.DECIDED);
        UUID uuid = RegistryProtos.uuid(request.getPipeline());
        PipelineState pipeline = pipelines.find(uuid);
        if (pipeline == null) {
            return answer.setVerdict(
                            pipelines.isDropped(uuid)
                                    ? SetPipelineResponse.Verdict.PIPELINE_DROPPED
                                    : SetPipelineResponse.Verdict.UNKNOWN_PIPELINE)
                    .build();
        }
        PipelineSettings changed = changed(pipeline.settings, request);
        if (!mayBe(changed)) {
            return answer.setVerdict(SetPipelineResponse.Verdict.BAD_SETTINGS).build();
        }
        if (!changed.equals(pipeline.settings)) {
            pipeline.settings = changed;
            audit.add(AuditKind.AUDIT_PIPELINE_SET, pipeline, text(changed));
        }
        return answer.setVerdict(SetPipelineResponse.Verdict.SET).setSettings(changed).build();
    }

    DropPipelineResponse drop(long index, DropPipelineRequest request) {
        DropPipelineResponse.Builder answer =
                DropPipelineResponse.newBuilder().setProgress(Progress.DECIDED);
        UUID uuid = RegistryProtos.uuid(request.getPipeline());
        PipelineState pipeline = pipelines.find(uuid);
        DroppedPipeline gone = pipelines.dropped(uuid);
        if (pipeline != null) {
            List<IncarnationInfo> live = live(pipeline);
            if (!live.isEmpty() && !request.getForce()) {
                return answer.setVerdict(DropPipelineResponse.Verdict.INCARNATIONS_LIVE)
                        .addAllLive(live)
                        .build();
            }
            gone = kept(pipeline, index);
            record(pipeline, !live.isEmpty());
            pipelines.drop(pipeline, gone);
        }
        return gone == null
                ? answer.setVerdict(DropPipelineResponse.Verdict.UNKNOWN_PIPELINE).build()
                : answer.setVerdict(DropPipelineResponse.Verdict.DROPPED).setDropped(gone).build();
    }

    private static boolean mayBe(PipelineSettings settings) {
        return settings.getRetentionMicros() >= 0
                && PipelineLimits.mayWait(settings.getWaitingIdsPerShard())
                && PipelineLimits.mayWeigh(settings.getShareWeight());
    }

    /** The settings with what the request names. */
    private static PipelineSettings changed(PipelineSettings settings, SetPipelineRequest request) {
        PipelineSettings.Builder changed = settings.toBuilder();
        if (request.hasRetentionMicros()) {
            changed.setRetentionMicros(request.getRetentionMicros());
        }
        if (request.hasWaitingIdsPerShard()) {
            changed.setWaitingIdsPerShard(request.getWaitingIdsPerShard());
        }
        if (request.hasShareWeight()) {
            changed.setShareWeight(request.getShareWeight());
        }
        return changed.build();
    }

    /** For people; zeros are the defaults. */
    private static String text(PipelineSettings settings) {
        return "retention %s us, %s waiting ids a shard, share weight %s"
                .formatted(
                        settings.getRetentionMicros(),
                        settings.getWaitingIdsPerShard(),
                        settings.getShareWeight());
    }

    /** Its incarnations that may commit still. */
    private static List<IncarnationInfo> live(PipelineState pipeline) {
        return pipeline.slots().stream()
                .flatMap(slot -> slot.describe().stream())
                .filter(info -> info.getState() == IncarnationState.OPEN && !info.getFenced())
                .toList();
    }

    /** What is kept of it. */
    private static DroppedPipeline kept(PipelineState pipeline, long index) {
        return DroppedPipeline.newBuilder()
                .setUuid(RegistryProtos.bytes(pipeline.uuid))
                .setName(pipeline.name)
                .setMap(pipeline.map.toProto())
                .setIndex(index)
                .addAllDroppedEpochs(EpochRules.toProto(pipeline.dropped).getEpochsList())
                .build();
    }

    private void record(PipelineState pipeline, boolean forced) {
        audit.add(
                AuditKind.AUDIT_PIPELINE_DROPPED,
                pipeline,
                "%s groups%s"
                        .formatted(
                                pipeline.map.shards().size(),
                                forced ? ", although incarnations were live" : ""));
    }
}
