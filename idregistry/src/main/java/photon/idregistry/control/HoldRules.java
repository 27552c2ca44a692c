package photon.idregistry.control;

import java.util.Comparator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import photon.proto.v1.BoundaryHolds;
import photon.proto.v1.Incarnation;
import photon.proto.v1.IncarnationHold;
import photon.proto.v1.IncarnationInfo;
import photon.proto.v1.IncarnationState;

/**
 * How far the boundaries of a pipeline may move (docs/protocol.md section 5): to what a majority of
 * clocks has passed, less the retention, but past no open incarnation's hold. So a repair sees all
 * that its incarnation has lost, however late it comes.
 */
final class HoldRules {
    private HoldRules() {}

    /**
     * Where the limit would be if nobody held it back.
     *
     * @param passedMicros by a majority of clocks; {@link Long#MIN_VALUE}: not told yet
     * @return {@link Long#MIN_VALUE}: nowhere
     */
    static long wantedMicros(PipelineState pipeline, long passedMicros) {
        long retention = pipeline.settings.getRetentionMicros();
        return retention <= 0 || passedMicros < Long.MIN_VALUE + retention
                ? Long.MIN_VALUE
                : passedMicros - retention;
    }

    /** Moves the limit on, as far as it may. */
    static void move(PipelineState pipeline, long passedMicros) {
        long target = wantedMicros(pipeline, passedMicros);
        for (Slot slot : pipeline.slots()) {
            for (Slot.Generation generation : slot.generations()) {
                if (generation.state == IncarnationState.OPEN) {
                    target = Math.min(target, generation.holdMicros);
                }
            }
        }
        pipeline.limitMicros = Math.max(pipeline.limitMicros, target);
    }

    /** The open incarnation with the lowest hold. */
    static Optional<IncarnationInfo> holder(PipelineState pipeline) {
        return pipeline.slots().stream()
                .flatMap(slot -> slot.describe().stream())
                .filter(info -> info.getState() == IncarnationState.OPEN)
                .min(Comparator.comparingLong(IncarnationInfo::getHoldMicros));
    }

    static BoundaryHolds toProto(PipelineState pipeline) {
        BoundaryHolds.Builder holds =
                BoundaryHolds.newBuilder().setLimitMicros(pipeline.limitMicros);
        for (Slot slot : pipeline.slots()) {
            for (Slot.Generation generation : slot.generations()) {
                if (generation.state == IncarnationState.OPEN) {
                    holds.addHolds(
                            IncarnationHold.newBuilder()
                                    .setIncarnation(
                                            Incarnation.newBuilder()
                                                    .setSlot(slot.number())
                                                    .setGeneration(generation.number))
                                    .setHoldMicros(generation.holdMicros)
                                    .setHeardMicros(generation.heardMicros)
                                    .setRenewedIndex(generation.renewedIndex)
                                    .setRenewsWithinMillis(generation.renewsWithinMillis));
                }
            }
        }
        return holds.build();
    }

    /**
     * As read from a snapshot.
     *
     * @return false if it is of incarnations that were never issued
     */
    static boolean restore(PipelineState pipeline, BoundaryHolds holds) {
        pipeline.limitMicros = holds.getLimitMicros();
        for (IncarnationHold hold : holds.getHoldsList()) {
            Slot slot = pipeline.slot(hold.getIncarnation().getSlot());
            Slot.@Nullable Generation generation =
                    slot == null ? null : slot.generation(hold.getIncarnation().getGeneration());
            if (generation == null) {
                return false;
            }
            generation.holdMicros = hold.getHoldMicros();
            generation.heardMicros = hold.getHeardMicros();
            generation.renewedIndex = hold.getRenewedIndex();
            generation.renewsWithinMillis = hold.getRenewsWithinMillis();
        }
        return true;
    }
}
