package photon.core.rpc;

import java.util.concurrent.atomic.LongAdder;

/**
 * Counts unary requests and stream messages, both ways, where they are sent and received by
 * clients. Thread-safe.
 */
public final class RpcCounter {
    private final LongAdder messages = new LongAdder();

    public void count() {
        messages.increment();
    }

    public long total() {
        return messages.sum();
    }
}
