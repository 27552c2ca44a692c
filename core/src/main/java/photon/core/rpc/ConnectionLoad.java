package photon.core.rpc;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Counts what one connection of a peer makes a server hold. Thread-safe. */
final class ConnectionLoad {
    private final RpcLimits limits;
    private final boolean beyond;
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicLong waitingBytes = new AtomicLong();

    /**
     * @param beyond true: there were too many connections when this one came
     */
    ConnectionLoad(RpcLimits limits, boolean beyond) {
        this.limits = limits;
        this.beyond = beyond;
    }

    /**
     * A call begins, and counts until {@link #ended}, also if it is refused.
     *
     * @return why it is refused; null: it is not
     */
    @Nullable RpcError begun() {
        int open = calls.incrementAndGet();
        if (beyond) {
            return RpcError.TOO_MANY_CONNECTIONS;
        }
        return open > limits.callsPerConnection() ? RpcError.TOO_MANY_CALLS : null;
    }

    /** Beyond which bound a refused call is, for people. */
    String bound(RpcError refusal) {
        return refusal == RpcError.TOO_MANY_CONNECTIONS
                ? "more than " + limits.connections() + " connections are open"
                : "more than " + limits.callsPerConnection() + " calls are open on the connection";
    }

    void ended() {
        calls.decrementAndGet();
    }

    void arrived(long bytes) {
        waitingBytes.addAndGet(bytes);
    }

    void handled(long bytes) {
        waitingBytes.addAndGet(-bytes);
    }

    /** True if no more should be read than has to be. */
    boolean isFull() {
        return waitingBytes.get() >= limits.waitingBytesPerConnection();
    }
}
