package photon.idregistry.control;

import java.util.Collection;
import java.util.List;
import photon.proto.v1.PassedTime;

/**
 * Moves the limits of all pipelines by {@link HoldRules}, with the time that clocks have passed.
 */
final class BoundaryLimits {
    private final RestoreRules restore;

    /** By a majority of the servers' clocks; {@link Long#MIN_VALUE}: not told yet. */
    private long passedMicros = Long.MIN_VALUE;

    BoundaryLimits(RestoreRules restore) {
        this.restore = restore;
    }

    long passedMicros() {
        return passedMicros;
    }

    /** As a snapshot has it. */
    void restore(long passed) {
        passedMicros = passed;
    }

    PassedTime passed(PassedTime told, Collection<PipelineState> pipelines) {
        // The latest word, not the highest: clocks that were wrong and are fixed move nothing on.
        passedMicros = told.getPassedMicros();
        pipelines.forEach(this::move);
        return PassedTime.newBuilder().setPassedMicros(passedMicros).build();
    }

    /** Not before a restore has ended: until then the retention may be raised. */
    void move(PipelineState pipeline) {
        if (!restore.isUnderWay()) {
            HoldRules.move(pipeline, passedMicros);
        }
    }

    /** Where the pipeline's limit would be if no incarnation held it back. */
    long wantedMicros(PipelineState pipeline) {
        return HoldRules.wantedMicros(pipeline, passedMicros);
    }

    PipelineView view(PipelineState pipeline) {
        return new PipelineView(
                pipeline.uuid,
                pipeline.name,
                pipeline.identityFingerprint,
                pipeline.map,
                pipeline.settings,
                pipeline.fenceVersion,
                pipeline.reshards.view(),
                List.copyOf(pipeline.dropped),
                pipeline.limitMicros,
                wantedMicros(pipeline),
                List.copyOf(RetirementRules.datacenters(pipeline)),
                List.copyOf(pipeline.retired.values()));
    }
}
