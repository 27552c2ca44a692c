package photon.registry.client;

import java.util.function.Function;
import photon.core.rpc.Caller;
import photon.proto.v1.BeginReshardRequest;
import photon.proto.v1.BeginReshardResponse;
import photon.proto.v1.CancelRequest;
import photon.proto.v1.CancelResponse;
import photon.proto.v1.DecideReshardRequest;
import photon.proto.v1.DecideReshardResponse;
import photon.proto.v1.DropPipelineRequest;
import photon.proto.v1.DropPipelineResponse;
import photon.proto.v1.FenceIncarnationRequest;
import photon.proto.v1.FenceIncarnationResponse;
import photon.proto.v1.FenceRequest;
import photon.proto.v1.FenceResponse;
import photon.proto.v1.ListIncarnationsRequest;
import photon.proto.v1.ListIncarnationsResponse;
import photon.proto.v1.OpenPipelineRequest;
import photon.proto.v1.OpenPipelineResponse;
import photon.proto.v1.PrepareEpochRequest;
import photon.proto.v1.PrepareEpochResponse;
import photon.proto.v1.Progress;
import photon.proto.v1.RegisterDispatcherStateRequest;
import photon.proto.v1.RegisterDispatcherStateResponse;
import photon.proto.v1.RegisterRequest;
import photon.proto.v1.RegisterResponse;
import photon.proto.v1.RemoveRequest;
import photon.proto.v1.RemoveResponse;
import photon.proto.v1.RenewIncarnationRequest;
import photon.proto.v1.RenewIncarnationResponse;
import photon.proto.v1.ReopenIncarnationRequest;
import photon.proto.v1.ReopenIncarnationResponse;
import photon.proto.v1.RetireDatacenterRequest;
import photon.proto.v1.RetireDatacenterResponse;
import photon.proto.v1.SetIncarnationStateRequest;
import photon.proto.v1.SetIncarnationStateResponse;
import photon.proto.v1.SetPipelineRequest;
import photon.proto.v1.SetPipelineResponse;

/**
 * What the commands that go to a leader have in common.
 *
 * @param at which of a server's calls it is
 * @param progress how far an answer says the request came
 * @param leader the hint in an answer
 */
record Rpc<Q, R>(
        Function<RegistryTransport.Server, Caller<Q, R>> at,
        Function<R, Progress> progress,
        Function<R, String> leader) {

    static final Rpc<RemoveRequest, RemoveResponse> REMOVE =
            new Rpc<>(
                    RegistryTransport.Server::remove,
                    RemoveResponse::getProgress,
                    RemoveResponse::getLeader);
    static final Rpc<CancelRequest, CancelResponse> CANCEL =
            new Rpc<>(
                    RegistryTransport.Server::cancel,
                    CancelResponse::getProgress,
                    CancelResponse::getLeader);
    static final Rpc<FenceRequest, FenceResponse> FENCE =
            new Rpc<>(
                    RegistryTransport.Server::fence,
                    FenceResponse::getProgress,
                    FenceResponse::getLeader);
    static final Rpc<OpenPipelineRequest, OpenPipelineResponse> OPEN_PIPELINE =
            new Rpc<>(
                    RegistryTransport.Server::openPipeline,
                    OpenPipelineResponse::getProgress,
                    OpenPipelineResponse::getLeader);
    static final Rpc<RegisterRequest, RegisterResponse> REGISTER =
            new Rpc<>(
                    RegistryTransport.Server::register,
                    RegisterResponse::getProgress,
                    RegisterResponse::getLeader);
    static final Rpc<FenceIncarnationRequest, FenceIncarnationResponse> FENCE_INCARNATION =
            new Rpc<>(
                    RegistryTransport.Server::fenceIncarnation,
                    FenceIncarnationResponse::getProgress,
                    FenceIncarnationResponse::getLeader);
    static final Rpc<SetIncarnationStateRequest, SetIncarnationStateResponse> SET_STATE =
            new Rpc<>(
                    RegistryTransport.Server::setIncarnationState,
                    SetIncarnationStateResponse::getProgress,
                    SetIncarnationStateResponse::getLeader);
    static final Rpc<ListIncarnationsRequest, ListIncarnationsResponse> LIST_INCARNATIONS =
            new Rpc<>(
                    RegistryTransport.Server::listIncarnations,
                    ListIncarnationsResponse::getProgress,
                    ListIncarnationsResponse::getLeader);
    static final Rpc<PrepareEpochRequest, PrepareEpochResponse> PREPARE_EPOCH =
            new Rpc<>(
                    RegistryTransport.Server::prepareEpoch,
                    PrepareEpochResponse::getProgress,
                    PrepareEpochResponse::getLeader);
    static final Rpc<BeginReshardRequest, BeginReshardResponse> BEGIN_RESHARD =
            new Rpc<>(
                    RegistryTransport.Server::beginReshard,
                    BeginReshardResponse::getProgress,
                    BeginReshardResponse::getLeader);
    static final Rpc<DecideReshardRequest, DecideReshardResponse> DECIDE_RESHARD =
            new Rpc<>(
                    RegistryTransport.Server::decideReshard,
                    DecideReshardResponse::getProgress,
                    DecideReshardResponse::getLeader);
    static final Rpc<SetPipelineRequest, SetPipelineResponse> SET_PIPELINE =
            new Rpc<>(
                    RegistryTransport.Server::setPipeline,
                    SetPipelineResponse::getProgress,
                    SetPipelineResponse::getLeader);
    static final Rpc<DropPipelineRequest, DropPipelineResponse> DROP_PIPELINE =
            new Rpc<>(
                    RegistryTransport.Server::dropPipeline,
                    DropPipelineResponse::getProgress,
                    DropPipelineResponse::getLeader);
    static final Rpc<RenewIncarnationRequest, RenewIncarnationResponse> RENEW_INCARNATION =
            new Rpc<>(
                    RegistryTransport.Server::renewIncarnation,
                    RenewIncarnationResponse::getProgress,
                    RenewIncarnationResponse::getLeader);
    static final Rpc<RegisterDispatcherStateRequest, RegisterDispatcherStateResponse>
            REGISTER_STATE =
                    new Rpc<>(
                            RegistryTransport.Server::registerDispatcherState,
                            RegisterDispatcherStateResponse::getProgress,
                            RegisterDispatcherStateResponse::getLeader);
    static final Rpc<ReopenIncarnationRequest, ReopenIncarnationResponse> REOPEN_INCARNATION =
            new Rpc<>(
                    RegistryTransport.Server::reopenIncarnation,
                    ReopenIncarnationResponse::getProgress,
                    ReopenIncarnationResponse::getLeader);
    static final Rpc<RetireDatacenterRequest, RetireDatacenterResponse> RETIRE_DATACENTER =
            new Rpc<>(
                    RegistryTransport.Server::retireDatacenter,
                    RetireDatacenterResponse::getProgress,
                    RetireDatacenterResponse::getLeader);
}
