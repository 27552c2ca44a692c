package photon.core.rpc;

import static java.util.Objects.requireNonNull;

import io.grpc.Attributes;
import io.grpc.ServerCall;
import io.grpc.ServerTransportFilter;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import photon.core.security.PeerIdentity;
import photon.core.security.Role;

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

    /** Of daemons, and of all callers where nobody shows a certificate. */
    private final ConnectionLoad.Places places;

    /** Of people, who must not take those of the daemons. */
    private final ConnectionLoad.Places placesOfPeople;

    Connections(RpcLimits limits, RpcSecurity security) {
        this.limits = limits;
        this.security = security;
        this.places = new ConnectionLoad.Places(limits.connections());
        this.placesOfPeople = new ConnectionLoad.Places(limits.connectionsOfPeople());
    }

    @Override
    public Attributes transportReady(Attributes transport) {
        Optional<PeerIdentity> caller = security.caller(transport);
        boolean person = caller.isPresent() && caller.get().role() != Role.DAEMON;
        Attributes.Builder with =
                transport.toBuilder()
                        .set(LOAD, new ConnectionLoad(limits, person ? placesOfPeople : places));
        caller.ifPresent(known -> with.set(CALLER, known));
        return with.build();
    }

    @Override
    public void transportTerminated(Attributes transport) {
        // Null of one that ended before it was ready, and was never counted.
        ConnectionLoad load = transport == null ? null : transport.get(LOAD);
        if (load != null) {
            load.closed();
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
