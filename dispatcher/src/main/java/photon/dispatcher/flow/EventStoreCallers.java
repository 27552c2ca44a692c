package photon.dispatcher.flow;

import static photon.core.error.Checks.check;

import java.util.List;
import photon.core.rpc.Caller;
import photon.core.rpc.SessionCaller;
import photon.core.share.EventStoreShares;
import photon.proto.v1.AwaitRequest;
import photon.proto.v1.AwaitResponse;
import photon.proto.v1.FrontierRequest;
import photon.proto.v1.FrontierResponse;

/**
 * What a dispatcher asks its datacenter's event stores. The flow closes them.
 *
 * @param shares which of them keeps what, by its place in the list
 */
public record EventStoreCallers(EventStoreShares shares, List<One> stores) {
    public EventStoreCallers {
        stores = List.copyOf(stores);
        check(
                stores.size() == shares.names().size(),
                "Expected %s event stores, but got %s",
                shares.names(),
                stores.size());
    }

    /** One of them. */
    public record One(
            Caller<FrontierRequest, FrontierResponse> frontier,
            SessionCaller<AwaitRequest, AwaitResponse> arrivals) {}
}
