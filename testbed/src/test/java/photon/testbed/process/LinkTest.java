package photon.testbed.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Never sooner than the delay; how much later is the machine's affair. */
@Timeout(60)
class LinkTest {
    private static final Duration DELAY = Duration.ofMillis(40);

    private ServerSocket far;
    private Link link;

    @BeforeEach
    void start() throws IOException {
        far = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        link =
                new Link(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), far.getLocalPort()),
                        DELAY);
    }

    @AfterEach
    void stop() throws IOException {
        link.close();
        far.close();
    }

    private Socket connect() throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), link.port());
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
    void aClosedLinkEndsWhatIsThere() throws Exception {
        try (Socket near = connect();
                Socket there = far.accept()) {
            near.getOutputStream().write(1);
            assertThat(there.getInputStream().read()).isEqualTo(1);
            link.close();
            assertThat(readOrEnd(near)).isNegative();
            assertThat(readOrEnd(there)).isNegative();
        }
    }

    @Test
    void whatIsSentWhileTheLinkIsCutArrivesWhenItIsMended() throws Exception {
        try (Socket near = connect();
                Socket there = far.accept()) {
            link.cut();
            near.getOutputStream().write(1);
            there.setSoTimeout((int) DELAY.multipliedBy(3).toMillis());
            assertThatThrownBy(() -> there.getInputStream().read())
                    .isInstanceOf(SocketTimeoutException.class);
            link.mend();
            there.setSoTimeout(0);
            assertThat(there.getInputStream().read()).isEqualTo(1);
        }
    }

    @Test
    void aResetEndsConnectionsThatAreCut() throws Exception {
        try (Socket near = connect();
                Socket there = far.accept()) {
            link.cut();
            near.getOutputStream().write(1);
            link.reset();
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
