package photon.registry.client;

import java.util.concurrent.CompletableFuture;
import photon.proto.v1.DropPipelineRequest;
import photon.proto.v1.DropPipelineResponse;
import photon.proto.v1.OpenPipelineRequest;
import photon.proto.v1.OpenPipelineResponse;
import photon.proto.v1.RetireDatacenterRequest;
import photon.proto.v1.RetireDatacenterResponse;
import photon.proto.v1.SetPipelineRequest;
import photon.proto.v1.SetPipelineResponse;

/**
 * Changes of the registry's pipelines, for people's tools: each is asked again until the control
 * group has decided. Who asks is filled in. Used in the connection's loop.
 */
public final class PipelineCommands {
    private final Asking asking;
    private final Leaders leaders;

    PipelineCommands(Asking asking, Leaders leaders) {
        this.asking = asking;
        this.leaders = leaders;
    }

    /** The pipeline as it stands, made if it is not there. */
    public CompletableFuture<OpenPipelineResponse> open(OpenPipelineRequest request) {
        return ask(Rpc.OPEN_PIPELINE, request.toBuilder().setActor(asking.actor()).build());
    }

    public CompletableFuture<SetPipelineResponse> set(SetPipelineRequest request) {
        return ask(Rpc.SET_PIPELINE, request.toBuilder().setActor(asking.actor()).build());
    }

    /** For good. */
    public CompletableFuture<DropPipelineResponse> drop(DropPipelineRequest request) {
        return ask(Rpc.DROP_PIPELINE, request.toBuilder().setActor(asking.actor()).build());
    }

    /** Of one datacenter, forever. */
    public CompletableFuture<RetireDatacenterResponse> retire(RetireDatacenterRequest request) {
        return ask(Rpc.RETIRE_DATACENTER, request.toBuilder().setActor(asking.actor()).build());
    }

    private <Q, R> CompletableFuture<R> ask(Rpc<Q, R> rpc, Q request) {
        asking.loop.checkInLoop();
        CompletableFuture<R> future = new CompletableFuture<>();
        asking.leader(leaders.ofControl(), rpc, request, future::complete);
        return future;
    }
}
