package photon.core.rpc;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

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
     * @return why it is refused; empty: it is not
     */
    String begun() {
        int open = calls.incrementAndGet();
        if (beyond) {
            return "more than " + limits.connections() + " connections are open";
        }
        return open > limits.callsPerConnection()
                ? "more than " + limits.callsPerConnection() + " calls are open on the connection"
                : "";
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
