package photon.registry.client;

import java.time.Duration;
import photon.core.rpc.Caller;
import photon.core.rpc.HostPort;
import photon.proto.v1.BeginReshardRequest;
import photon.proto.v1.BeginReshardResponse;
import photon.proto.v1.CancelRequest;
import photon.proto.v1.CancelResponse;
import photon.proto.v1.CommitRequest;
import photon.proto.v1.CommitResponse;
import photon.proto.v1.DecideReshardRequest;
import photon.proto.v1.DecideReshardResponse;
import photon.proto.v1.DescribePipelineRequest;
import photon.proto.v1.DescribePipelineResponse;
import photon.proto.v1.DropPipelineRequest;
import photon.proto.v1.DropPipelineResponse;
import photon.proto.v1.FenceIncarnationRequest;
import photon.proto.v1.FenceIncarnationResponse;
import photon.proto.v1.FenceRequest;
import photon.proto.v1.FenceResponse;
import photon.proto.v1.ListIncarnationsRequest;
import photon.proto.v1.ListIncarnationsResponse;
import photon.proto.v1.LookupRequest;
import photon.proto.v1.LookupResponse;
import photon.proto.v1.OpenPipelineRequest;
import photon.proto.v1.OpenPipelineResponse;
import photon.proto.v1.PrepareEpochRequest;
import photon.proto.v1.PrepareEpochResponse;
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
import photon.proto.v1.ScanRequest;
import photon.proto.v1.ScanResponse;
import photon.proto.v1.SetIncarnationStateRequest;
import photon.proto.v1.SetIncarnationStateResponse;
import photon.proto.v1.SetPipelineRequest;
import photon.proto.v1.SetPipelineResponse;
import photon.proto.v1.TellClockRequest;
import photon.proto.v1.TellClockResponse;

/** How registry servers are reached: gRPC in production, the simulator's network in tests. */
public interface RegistryTransport extends AutoCloseable {
    /** Longer than an election, so that a change of leader is mostly told rather than guessed. */
    Duration COMMAND_DEADLINE = Duration.ofSeconds(5);

    /** A lookup has other servers to go to. */
    Duration LOOKUP_DEADLINE = Duration.ofSeconds(1);

    /** The same object for the same server. Used in the owner's event loop. */
    Server at(HostPort server);

    @Override
    void close();

    /** One server's calls. Each sends once; a call that gets no answer in time is broken. */
    record Server(
            Caller<CommitRequest, CommitResponse> commit,
            Caller<LookupRequest, LookupResponse> lookup,
            Caller<RemoveRequest, RemoveResponse> remove,
            Caller<CancelRequest, CancelResponse> cancel,
            Caller<FenceRequest, FenceResponse> fence,
            Caller<ScanRequest, ScanResponse> scan,
            Caller<OpenPipelineRequest, OpenPipelineResponse> openPipeline,
            Caller<DescribePipelineRequest, DescribePipelineResponse> describePipeline,
            Caller<RegisterRequest, RegisterResponse> register,
            Caller<FenceIncarnationRequest, FenceIncarnationResponse> fenceIncarnation,
            Caller<SetIncarnationStateRequest, SetIncarnationStateResponse> setIncarnationState,
            Caller<ListIncarnationsRequest, ListIncarnationsResponse> listIncarnations,
            Caller<PrepareEpochRequest, PrepareEpochResponse> prepareEpoch,
            Caller<BeginReshardRequest, BeginReshardResponse> beginReshard,
            Caller<DecideReshardRequest, DecideReshardResponse> decideReshard,
            Caller<TellClockRequest, TellClockResponse> tellClock,
            Caller<SetPipelineRequest, SetPipelineResponse> setPipeline,
            Caller<DropPipelineRequest, DropPipelineResponse> dropPipeline,
            Caller<RenewIncarnationRequest, RenewIncarnationResponse> renewIncarnation,
            Caller<RegisterDispatcherStateRequest, RegisterDispatcherStateResponse>
                    registerDispatcherState,
            Caller<ReopenIncarnationRequest, ReopenIncarnationResponse> reopenIncarnation,
            Caller<RetireDatacenterRequest, RetireDatacenterResponse> retireDatacenter) {}
}
