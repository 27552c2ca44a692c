package photon.dispatcher.flow;

import photon.core.rpc.Caller;
import photon.core.rpc.SessionCaller;
import photon.proto.v1.AwaitRequest;
import photon.proto.v1.AwaitResponse;
import photon.proto.v1.FrontierRequest;
import photon.proto.v1.FrontierResponse;

/** What a dispatcher asks its datacenter's event store. The flow closes both. */
public record EventStoreCallers(
        Caller<FrontierRequest, FrontierResponse> frontier,
        SessionCaller<AwaitRequest, AwaitResponse> arrivals) {}
