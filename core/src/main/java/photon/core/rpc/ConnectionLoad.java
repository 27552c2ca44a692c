package photon.core.rpc;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Counts what one connection of a peer makes a server hold. Thread-safe. */
final class ConnectionLoad {
    private final RpcLimits limits;
    private final Places places;
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicLong waitingBytes = new AtomicLong();

    /** Taken until {@link #closed}. */
    private volatile boolean placed;

    private boolean closed;

    /**
     * @param places of which it needs one for its calls, from now on or from when one is free
     */
    ConnectionLoad(RpcLimits limits, Places places) {
        this.limits = limits;
        this.places = places;
        this.placed = places.take();
    }

    /** The places of a server's connections. Thread-safe. */
    static final class Places {
        private final int max;
        private final AtomicInteger taken = new AtomicInteger();

        Places(int max) {
            this.max = max;
        }

        private boolean take() {
            return taken.getAndUpdate(count -> Math.min(max, count + 1)) < max;
        }

        private void give() {
            taken.decrementAndGet();
        }
    }

    private synchronized boolean hasPlace() {
        if (!placed && !closed) {
            placed = places.take();
        }
        return placed;
    }

    /** The connection has ended. */
    synchronized void closed() {
        if (placed && !closed) {
            places.give();
        }
        closed = true;
    }

    /**
     * A call begins, and counts until {@link #ended}, also if it is refused.
     *
     * @return why it is refused; null: it is not
     */
    @Nullable RpcError begun() {
        int open = calls.incrementAndGet();
        if (!placed && !hasPlace()) {
            return RpcError.TOO_MANY_CONNECTIONS;
        }
        return open > limits.callsPerConnection() ? RpcError.TOO_MANY_CALLS : null;
    }

    /** Beyond which bound a refused call is, for people. */
    String bound(RpcError refusal) {
        return refusal == RpcError.TOO_MANY_CONNECTIONS
                ? "more than " + places.max + " connections are open"
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
