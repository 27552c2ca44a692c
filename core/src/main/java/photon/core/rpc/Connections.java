package photon.core.rpc;

import static java.util.Objects.requireNonNull;

import io.grpc.Attributes;
import io.grpc.ServerCall;
import io.grpc.ServerTransportFilter;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import photon.core.security.PeerIdentity;

/**
 * Counts a server's connections, and gives each its {@link ConnectionLoad} and who is at its other
 * end. Thread-safe.
 */
final class Connections extends ServerTransportFilter {
    private static final Attributes.Key<ConnectionLoad> LOAD =
            Attributes.Key.create("photon-connection-load");

    private static final Attributes.Key<PeerIdentity> CALLER =
            Attributes.Key.create("photon-caller");

    private final RpcLimits limits;
    private final RpcSecurity security;
    private final AtomicInteger open = new AtomicInteger();

    Connections(RpcLimits limits, RpcSecurity security) {
        this.limits = limits;
        this.security = security;
    }

    @Override
    public Attributes transportReady(Attributes transport) {
        boolean beyond = open.incrementAndGet() > limits.connections();
        Attributes.Builder with =
                transport.toBuilder().set(LOAD, new ConnectionLoad(limits, beyond));
        security.caller(transport).ifPresent(caller -> with.set(CALLER, caller));
        return with.build();
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

    /** Whom the caller's certificate is for; null: it is this process, or TLS is not used. */
    static @Nullable PeerIdentity caller(ServerCall<?, ?> call) {
        return call.getAttributes().get(CALLER);
    }
}
