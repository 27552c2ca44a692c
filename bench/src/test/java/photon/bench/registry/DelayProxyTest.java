package photon.bench.registry;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import photon.core.rpc.HostPort;

/** Never sooner than the delay; how much later is the machine's affair. */
@Timeout(60)
class DelayProxyTest {
    private static final Duration DELAY = Duration.ofMillis(40);

    private ServerSocket far;
    private DelayProxy proxy;

    @BeforeEach
    void start() throws IOException {
        far = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        proxy = DelayProxy.start(0, new HostPort("127.0.0.1", far.getLocalPort()), DELAY);
    }

    @AfterEach
    void stop() throws IOException {
        proxy.close();
        far.close();
    }

    private Socket connect() throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), proxy.port());
    }

    @Test
    void eachDirectionTakesTheDelay() throws Exception {
        try (Socket near = connect();
                Socket there = far.accept()) {
            for (int i = 0; i < 3; i++) {
                long sent = System.nanoTime();
                near.getOutputStream().write(i);
                assertThat(there.getInputStream().read()).isEqualTo(i);
                long arrived = System.nanoTime();
                assertThat(arrived - sent).isGreaterThanOrEqualTo(DELAY.toNanos());
                there.getOutputStream().write(i + 100);
                assertThat(near.getInputStream().read()).isEqualTo(i + 100);
                assertThat(System.nanoTime() - arrived).isGreaterThanOrEqualTo(DELAY.toNanos());
            }
        }
    }

    @Test
    void allArrivesInOrderAndThenTheEnd() throws Exception {
        byte[] sent = new byte[3 << 20];
        new Random(1).nextBytes(sent);
        try (Socket near = connect();
                Socket there = far.accept()) {
            CompletableFuture<Void> sending =
                    CompletableFuture.runAsync(
                            () -> {
                                try {
                                    near.getOutputStream().write(sent);
                                    near.shutdownOutput();
                                } catch (IOException e) {
                                    throw new java.io.UncheckedIOException(e);
                                }
                            });
            assertThat(there.getInputStream().readAllBytes()).isEqualTo(sent);
            sending.get(30, TimeUnit.SECONDS);
        }
    }

    @Test
    void whereNobodyIsTheConnectionEnds() throws Exception {
        far.close();
        try (Socket near = connect()) {
            assertThat(readOrEnd(near)).isNegative();
        }
    }

    @Test
    void aClosedProxyCutsWhatIsThere() throws Exception {
        try (Socket near = connect();
                Socket there = far.accept()) {
            near.getOutputStream().write(1);
            assertThat(there.getInputStream().read()).isEqualTo(1);
            proxy.close();
            assertThat(readOrEnd(near)).isNegative();
            assertThat(readOrEnd(there)).isNegative();
        }
    }

    /** A reset is an end as well. */
    private static int readOrEnd(Socket socket) {
        try {
            return socket.getInputStream().read();
        } catch (IOException e) {
            return -1;
        }
    }
}
