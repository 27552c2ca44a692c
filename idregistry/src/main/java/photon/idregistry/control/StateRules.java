package photon.idregistry.control;

import java.util.UUID;
import org.jspecify.annotations.Nullable;
import photon.proto.v1.AuditKind;
import photon.proto.v1.Incarnation;
import photon.proto.v1.IncarnationState;
import photon.proto.v1.Progress;
import photon.proto.v1.RegisterDispatcherStateRequest;
import photon.proto.v1.RegisterDispatcherStateResponse;
import photon.proto.v1.RegisterDispatcherStateResponse.Verdict;
import photon.proto.v1.ReopenIncarnationRequest;
import photon.proto.v1.ReopenIncarnationResponse;
import photon.proto.v1.Stamp;
import photon.registry.api.RegistryProtos;

/**
 * Decides which state a datacenter's dispatcher works with, and which repaired incarnations are
 * opened again (docs/protocol.md sections 6 and 7). Part of {@link ControlState}.
 */
final class StateRules {
    private final Pipelines pipelines;
    private final AuditTrail audit;

    StateRules(Pipelines pipelines, AuditTrail audit) {
        this.pipelines = pipelines;
        this.audit = audit;
    }

    RegisterDispatcherStateResponse register(RegisterDispatcherStateRequest request, Stamp stamp) {
        RegisterDispatcherStateResponse.Builder answer =
                RegisterDispatcherStateResponse.newBuilder().setProgress(Progress.DECIDED);
        UUID uuid = RegistryProtos.uuid(request.getPipeline());
        PipelineState pipeline = pipelines.find(uuid);
        if (pipeline == null) {
            return answer.setVerdict(Verdict.UNKNOWN_PIPELINE)
                    .setPipelineDropped(pipelines.isDropped(uuid))
                    .build();
        }
        UUID state = RegistryProtos.uuid(request.getState());
        UUID lost = RegistryProtos.uuid(request.getLost());
        if (request.getDatacenter().isEmpty()
                || (state == null && !request.getState().isEmpty())
                || (lost == null && !request.getLost().isEmpty())) {
            return answer.setVerdict(Verdict.BAD_REQUEST).build();
        }
        answer.setVerdict(Verdict.REGISTERED);
        if (state != null) {
            decide(pipeline, request.getDatacenter(), state, lost, stamp, answer);
        }
        return answer.setRegistered(
                        RegistryProtos.bytesOrNone(pipeline.states.of(request.getDatacenter())))
                .build();
    }

    private void decide(
            PipelineState pipeline,
            String datacenter,
            UUID state,
            @Nullable UUID lost,
            Stamp stamp,
            RegisterDispatcherStateResponse.Builder answer) {
        UUID registered = pipeline.states.of(datacenter);
        if (state.equals(registered)) {
            return; // asked again
        }
        if (pipeline.retired.containsKey(datacenter)) {
            answer.setVerdict(Verdict.DATACENTER_RETIRED);
        } else if (pipeline.states.wasLost(datacenter, state)) {
            answer.setVerdict(Verdict.STATE_WAS_LOST);
        } else if (registered == null) {
            pipeline.states.register(datacenter, state);
            audit.add(
                    AuditKind.AUDIT_STATE_REGISTERED,
                    pipeline,
                    "%s: state %s".formatted(datacenter, state));
        } else if (registered.equals(lost)) {
            pipeline.states.register(datacenter, state);
            stateLost(pipeline, datacenter, Math.max(1, stamp.getLatestMicros()));
            int reopened = reopenRowsOf(pipeline, datacenter, registered);
            audit.add(
                    AuditKind.AUDIT_STATE_LOST,
                    pipeline,
                    "%s: state %s, in its place %s; %s incarnations reopened"
                            .formatted(datacenter, lost, state, reopened));
            answer.setReopened(reopened);
        } else {
            answer.setVerdict(Verdict.OTHER_STATE);
        }
    }

    /**
     * What the lost state had read for them, nobody knows. Each may be reopened, one that was
     * closed clean by the loss of a published file.
     */
    private static void stateLost(PipelineState pipeline, String datacenter, long micros) {
        for (Slot slot : pipeline.slots()) {
            if (!ControlState.datacenter(slot.name()).equals(datacenter)) {
                continue;
            }
            for (Slot.Generation generation : slot.generations()) {
                generation.stateLostMicros = micros;
            }
        }
    }

    /** Their repair rows are gone, and nobody knows which of them were finished. */
    private int reopenRowsOf(PipelineState pipeline, String datacenter, UUID lost) {
        int reopened = 0;
        for (Slot slot : pipeline.slots()) {
            if (!ControlState.datacenter(slot.name()).equals(datacenter)) {
                continue;
            }
            for (Slot.Generation generation : slot.generations()) {
                if (generation.state == IncarnationState.REPAIRED
                        && lost.equals(generation.rowsIn)) {
                    generation.rowsLostWith = lost;
                    reopen(pipeline, slot, generation, "its repair rows were in a lost state");
                    reopened++;
                }
            }
        }
        return reopened;
    }

    /** The answer is what stands, unspecified if the incarnation was never issued. */
    ReopenIncarnationResponse reopen(ReopenIncarnationRequest request) {
        ReopenIncarnationResponse.Builder answer =
                ReopenIncarnationResponse.newBuilder().setProgress(Progress.DECIDED);
        UUID uuid = RegistryProtos.uuid(request.getPipeline());
        PipelineState pipeline = pipelines.find(uuid);
        Slot slot = pipeline == null ? null : pipeline.slot(request.getIncarnation().getSlot());
        Slot.@Nullable Generation generation =
                slot == null ? null : slot.generation(request.getIncarnation().getGeneration());
        if (pipeline == null || slot == null || generation == null) {
            return answer.setPipelineDropped(pipelines.isDropped(uuid)).build();
        }
        if (mayReopen(pipeline, slot, generation, request)) {
            generation = slot.alone(generation, request.getIncarnation().getGeneration());
            reopen(
                    pipeline,
                    slot,
                    generation,
                    request.getFileLost() ? "a published file was declared lost" : "by request");
        }
        return answer.setState(generation.state).setTimesReopened(generation.timesReopened).build();
    }

    /**
     * When a published file was declared lost, one that is open and fenced is reopened, too: its
     * repair may have gone past that file before. None of a datacenter that was retired: nobody
     * would repair it.
     */
    private static boolean mayReopen(
            PipelineState pipeline,
            Slot slot,
            Slot.Generation generation,
            ReopenIncarnationRequest request) {
        return !pipeline.retired.containsKey(ControlState.datacenter(slot.name()))
                && generation.timesReopened == request.getTimesReopened()
                && (generation.state == IncarnationState.REPAIRED
                        || (request.getFileLost() && slot.isFenced(generation.number)));
    }

    /** It was fenced before it was repaired, and stays so. */
    private void reopen(PipelineState pipeline, Slot slot, Slot.Generation generation, String why) {
        generation.reopen(pipeline.limitMicros);
        audit.add(
                AuditKind.AUDIT_REOPENED,
                pipeline,
                Incarnation.newBuilder()
                        .setSlot(slot.number())
                        .setGeneration(generation.number)
                        .build(),
                slot.name() + ": " + why);
    }

    /**
     * Whether an incarnation of this slot may be called repaired when its rows are there. Rows in
     * another state than the registered one may be gone.
     *
     * @param rowsIn as {@code rows_in} of the request: empty if there were no rows
     */
    static boolean mayHoldRows(
            PipelineState pipeline, Slot slot, com.google.protobuf.ByteString rowsIn) {
        UUID state = RegistryProtos.uuid(rowsIn);
        return rowsIn.isEmpty()
                || (state != null
                        && state.equals(pipeline.states.of(ControlState.datacenter(slot.name()))));
    }
}
