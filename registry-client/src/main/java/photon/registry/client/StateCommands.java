package photon.registry.client;

import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import photon.core.id.Incarnation;
import photon.proto.v1.RegisterDispatcherStateRequest;
import photon.proto.v1.RegisterDispatcherStateResponse;
import photon.proto.v1.ReopenIncarnationRequest;
import photon.registry.api.ControlClient.IncarnationState;
import photon.registry.api.DispatcherStates;
import photon.registry.api.RegistryProtos;

/** Asks each command until the control group has decided. Used in the connection's loop. */
public final class StateCommands implements DispatcherStates {
    private final Asking asking;
    private final Leaders leaders;

    StateCommands(Asking asking, Leaders leaders) {
        this.asking = asking;
        this.leaders = leaders;
    }

    @Override
    public CompletableFuture<Registered> registered(UUID pipeline, String datacenter) {
        return ask(RegisterDispatcherStateRequest.newBuilder(), pipeline, datacenter);
    }

    @Override
    public CompletableFuture<Registered> register(UUID pipeline, String datacenter, UUID state) {
        return ask(
                RegisterDispatcherStateRequest.newBuilder().setState(RegistryProtos.bytes(state)),
                pipeline,
                datacenter);
    }

    @Override
    public CompletableFuture<Registered> replace(
            UUID pipeline, String datacenter, UUID lost, UUID state) {
        return ask(
                RegisterDispatcherStateRequest.newBuilder()
                        .setState(RegistryProtos.bytes(state))
                        .setLost(RegistryProtos.bytes(lost)),
                pipeline,
                datacenter);
    }

    private CompletableFuture<Registered> ask(
            RegisterDispatcherStateRequest.Builder request, UUID pipeline, String datacenter) {
        asking.loop.checkInLoop();
        CompletableFuture<Registered> future = new CompletableFuture<>();
        asking.leader(
                leaders.ofControl(),
                Rpc.REGISTER_STATE,
                request.setPipeline(RegistryProtos.bytes(pipeline))
                        .setDatacenter(datacenter)
                        .setActor(asking.actor())
                        .build(),
                answer -> {
                    if (answer.getPipelineDropped()) {
                        future.completeExceptionally(Asking.gone("pipeline " + pipeline));
                    } else {
                        future.complete(
                                new Registered(
                                        answer.getVerdict()
                                                == RegisterDispatcherStateResponse.Verdict
                                                        .REGISTERED,
                                        Optional.ofNullable(
                                                RegistryProtos.uuid(answer.getRegistered())),
                                        answer.getReopened()));
                    }
                });
        return future;
    }

    /**
     * Opens a repaired incarnation again, so that its datacenter repairs it once more.
     *
     * @param timesReopened as the list said: if it was reopened since, nothing changes
     * @return what stands; fails with {@link photon.registry.api.UnknownIncarnationException} if it
     *     was never issued
     */
    public CompletableFuture<IncarnationState> reopen(
            UUID pipeline, Incarnation incarnation, int timesReopened) {
        return reopen(pipeline, incarnation, timesReopened, false);
    }

    /**
     * The same since a published file of it was declared lost: also of one that was closed clean;
     * and of one that is open and fenced, whose repair starts over then. One that is live is not
     * touched.
     */
    public CompletableFuture<IncarnationState> reopenForLostFile(
            UUID pipeline, Incarnation incarnation, int timesReopened) {
        return reopen(pipeline, incarnation, timesReopened, true);
    }

    private CompletableFuture<IncarnationState> reopen(
            UUID pipeline, Incarnation incarnation, int timesReopened, boolean fileLost) {
        asking.loop.checkInLoop();
        CompletableFuture<IncarnationState> future = new CompletableFuture<>();
        asking.leader(
                leaders.ofControl(),
                Rpc.REOPEN_INCARNATION,
                ReopenIncarnationRequest.newBuilder()
                        .setPipeline(RegistryProtos.bytes(pipeline))
                        .setIncarnation(RegistryProtos.incarnation(incarnation))
                        .setTimesReopened(timesReopened)
                        .setFileLost(fileLost)
                        .setActor(asking.actor())
                        .build(),
                answer -> {
                    IncarnationState stands = ControlCommands.state(answer.getState());
                    if (stands == null) {
                        future.completeExceptionally(
                                ControlCommands.noSuch(incarnation, answer.getPipelineDropped()));
                    } else {
                        future.complete(stands);
                    }
                });
        return future;
    }
}
