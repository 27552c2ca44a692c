package photon.core.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import photon.core.loop.ManualLoop;

class ReconnectsTest {
    private final ManualLoop loop = new ManualLoop();
    private final FakeChannel channel = new FakeChannel();

    @Test
    void aPeerThatIsAwayIsTriedAgainEveryFewSeconds() {
        Reconnects.watch(channel, loop);
        channel.state = ConnectivityState.TRANSIENT_FAILURE;
        loop.advance(Duration.ofMinutes(10));
        assertThat(channel.resets).isEqualTo(120);
    }

    @Test
    void aConnectionThatIsThereOrNotWantedIsLeftAlone() {
        Reconnects.watch(channel, loop);
        for (ConnectivityState state :
                new ConnectivityState[] {
                    ConnectivityState.IDLE, ConnectivityState.CONNECTING, ConnectivityState.READY
                }) {
            channel.state = state;
            loop.advance(Duration.ofMinutes(1));
        }
        assertThat(channel.resets).isZero();
        channel.state = ConnectivityState.TRANSIENT_FAILURE;
        loop.advance(Reconnects.PAUSE_MAX);
        assertThat(channel.resets).as("it is watched still").isEqualTo(1);
    }

    @Test
    void oneThatIsShutDownIsNotWatchedAnyMore() {
        Reconnects.watch(channel, loop);
        channel.state = ConnectivityState.SHUTDOWN;
        loop.advance(Reconnects.PAUSE_MAX);
        channel.state = ConnectivityState.TRANSIENT_FAILURE;
        loop.advance(Duration.ofMinutes(1));
        assertThat(channel.resets).isZero();
    }

    private static final class FakeChannel extends ManagedChannel {
        private ConnectivityState state = ConnectivityState.IDLE;
        private int resets;

        @Override
        public ConnectivityState getState(boolean requestConnection) {
            assertThat(requestConnection).isFalse();
            return state;
        }

        @Override
        public void resetConnectBackoff() {
            resets++;
        }

        @Override
        public ManagedChannel shutdown() {
            return this;
        }

        @Override
        public boolean isShutdown() {
            return false;
        }

        @Override
        public boolean isTerminated() {
            return false;
        }

        @Override
        public ManagedChannel shutdownNow() {
            return this;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return true;
        }

        @Override
        public <Q, R> ClientCall<Q, R> newCall(
                MethodDescriptor<Q, R> method, CallOptions callOptions) {
            throw new UnsupportedOperationException("No call is made here");
        }

        @Override
        public String authority() {
            return "nobody";
        }
    }
}
