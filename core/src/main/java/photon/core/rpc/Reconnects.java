package photon.core.rpc;

import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import java.time.Duration;
import photon.core.loop.EventLoop;

/**
 * Sees to it that a peer that comes back is met soon: gRPC's own pauses between attempts to connect
 * grow to two minutes while a peer is away, and cannot be set. In the loop.
 */
final class Reconnects {
    /** No pause is longer than about this. */
    static final Duration PAUSE_MAX = Duration.ofSeconds(5);

    private final ManagedChannel channel;
    private final EventLoop loop;

    private Reconnects(ManagedChannel channel, EventLoop loop) {
        this.channel = channel;
        this.loop = loop;
    }

    /** Until the channel is shut down. */
    static void watch(ManagedChannel channel, EventLoop loop) {
        new Reconnects(channel, loop).later();
    }

    private void later() {
        loop.schedule(PAUSE_MAX, this::look);
    }

    private void look() {
        ConnectivityState state = channel.getState(false);
        if (state == ConnectivityState.SHUTDOWN) {
            return;
        }
        if (state == ConnectivityState.TRANSIENT_FAILURE) {
            channel.resetConnectBackoff();
        }
        later();
    }
}
