package photon.idregistry.control;

import java.util.List;
import photon.proto.v1.AuditKind;
import photon.proto.v1.DroppedPipeline;
import photon.proto.v1.IncarnationInfo;
import photon.proto.v1.IncarnationState;
import photon.proto.v1.PipelineSettings;
import photon.proto.v1.SetPipelineRequest;
import photon.registry.api.RegistryProtos;

/** What a pipeline's settings may be, and when it may go (docs/protocol.md section 1). */
final class PipelineRules {
    private PipelineRules() {}

    static boolean mayBe(PipelineSettings settings) {
        return settings.getRetentionMicros() >= 0
                && PipelineLimits.mayWait(settings.getWaitingIdsPerShard())
                && PipelineLimits.mayWeigh(settings.getShareWeight());
    }

    /** The settings with what the request names. */
    static PipelineSettings changed(PipelineSettings settings, SetPipelineRequest request) {
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
    static String text(PipelineSettings settings) {
        return "retention %s us, %s waiting ids a shard, share weight %s"
                .formatted(
                        settings.getRetentionMicros(),
                        settings.getWaitingIdsPerShard(),
                        settings.getShareWeight());
    }

    /** Its incarnations that may commit still. */
    static List<IncarnationInfo> live(PipelineState pipeline) {
        return pipeline.slots().stream()
                .flatMap(slot -> slot.describe().stream())
                .filter(info -> info.getState() == IncarnationState.OPEN && !info.getFenced())
                .toList();
    }

    /** What is kept of it. */
    static DroppedPipeline dropped(PipelineState pipeline, long index) {
        return DroppedPipeline.newBuilder()
                .setUuid(RegistryProtos.bytes(pipeline.uuid))
                .setName(pipeline.name)
                .setMap(pipeline.map.toProto())
                .setIndex(index)
                .addAllDroppedEpochs(EpochRules.toProto(pipeline.dropped).getEpochsList())
                .build();
    }

    static void record(AuditTrail audit, PipelineState pipeline, boolean forced) {
        audit.add(
                AuditKind.AUDIT_PIPELINE_DROPPED,
                pipeline,
                "%s groups%s"
                        .formatted(
                                pipeline.map.shards().size(),
                                forced ? ", although incarnations were live" : ""));
    }
}
