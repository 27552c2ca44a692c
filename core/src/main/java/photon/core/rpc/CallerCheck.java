package photon.core.rpc;

import io.grpc.Grpc;
import io.grpc.ServerCall;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.security.PeerIdentity;
import photon.core.security.Permissions;
import photon.core.security.Role;

/**
 * Decides of each call whether the certificate of its caller allows it, and writes down what it
 * refuses and what people change. Thread-safe.
 */
final class CallerCheck {
    private static final Logger AUDIT = LoggerFactory.getLogger(RpcSecurity.AUDIT_LOG);

    /** A caller that tries again and again must not fill the disk. */
    private static final int REFUSALS_PER_MINUTE = 20;

    private final RpcSecurity security;
    private final LongSupplier nanoTime;
    private long minuteBegan;
    private int refusals;

    CallerCheck(RpcSecurity security, LongSupplier nanoTime) {
        this.security = security;
        this.nanoTime = nanoTime;
        this.minuteBegan = nanoTime.getAsLong();
    }

    /** Why the call is refused; empty: it is not. */
    String refusal(ServerCall<?, ?> call) {
        PeerIdentity caller = Connections.caller(call);
        if (caller == null) {
            return "";
        }
        String method = call.getMethodDescriptor().getFullMethodName();
        String why = Permissions.refusal(method, caller, security.files().orElseThrow().identity());
        if (why.isEmpty()) {
            tell(call, method, caller);
        } else {
            refused(call, why);
        }
        return why;
    }

    /** Why what is asked is refused; empty: it is not. */
    String refusalOf(ServerCall<?, ?> call, Object message) {
        PeerIdentity caller = Connections.caller(call);
        String why = caller == null ? "" : Permissions.refusalOf(message, caller);
        if (!why.isEmpty()) {
            refused(call, call.getMethodDescriptor().getFullMethodName() + ": " + why);
        }
        return why;
    }

    private static void tell(ServerCall<?, ?> call, String method, PeerIdentity caller) {
        if (caller.role() != Role.DAEMON && Permissions.changes(method)) {
            AUDIT.info("{} at {} calls {}", caller, address(call), method);
        }
    }

    private synchronized void refused(ServerCall<?, ?> call, String why) {
        long now = nanoTime.getAsLong();
        if (now - minuteBegan >= TimeUnit.MINUTES.toNanos(1)) {
            if (refusals > REFUSALS_PER_MINUTE) {
                AUDIT.warn("{} more calls were refused", refusals - REFUSALS_PER_MINUTE);
            }
            minuteBegan = now;
            refusals = 0;
        }
        refusals++;
        if (refusals <= REFUSALS_PER_MINUTE) {
            AUDIT.warn("Refused a call from {}: {}", address(call), why);
        }
    }

    private static String address(ServerCall<?, ?> call) {
        return String.valueOf(call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR));
    }
}
