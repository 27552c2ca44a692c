package photon.core.rpc;

import static java.util.Objects.requireNonNull;

import io.grpc.Attributes;
import io.grpc.ServerCall;
import io.grpc.ServerTransportFilter;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts a server's connections, and gives each its {@link ConnectionLoad}. Thread-safe. */
final class Connections extends ServerTransportFilter {
    private static final Attributes.Key<ConnectionLoad> LOAD =
            Attributes.Key.create("photon-connection-load");

    private final RpcLimits limits;
    private final AtomicInteger open = new AtomicInteger();

    Connections(RpcLimits limits) {
        this.limits = limits;
    }

    @Override
    public Attributes transportReady(Attributes transport) {
        boolean beyond = open.incrementAndGet() > limits.connections();
        return transport.toBuilder().set(LOAD, new ConnectionLoad(limits, beyond)).build();
    }

    @Override
    public void transportTerminated(Attributes transport) {
        // Null of one that ended before it was ready, and was never counted.
        if (transport != null && transport.get(LOAD) != null) {
            open.decrementAndGet();
        }
    }

    static ConnectionLoad of(ServerCall<?, ?> call) {
        return requireNonNull(call.getAttributes().get(LOAD), "every connection has a load");
    }
}
