package photon.joiner.task;

import static photon.core.error.Checks.check;

import java.util.List;
import photon.core.rpc.Caller;
import photon.joiner.rules.StoreRoutes;
import photon.proto.v1.PrimaryLookupRequest;
import photon.proto.v1.PrimaryLookupResponse;

/**
 * The event stores of a joiner's datacenter. Used in its main loop.
 *
 * @param routes which one is asked, by its place among the callers
 */
public record EventStores(
        StoreRoutes routes, List<Caller<PrimaryLookupRequest, PrimaryLookupResponse>> callers) {
    public EventStores {
        callers = List.copyOf(callers);
        check(
                callers.size() == routes.stores(),
                "Expected %s event stores, but got %s",
                routes.stores(),
                callers.size());
    }

    public void close() {
        callers.forEach(Caller::close);
    }
}
