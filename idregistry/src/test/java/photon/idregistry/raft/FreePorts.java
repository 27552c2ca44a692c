package photon.idregistry.raft;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import photon.core.rpc.HostPort;

/**
 * Ports for servers of tests: below those that the system gives to outgoing connections, one of
 * which could else take a port between its choice and its use.
 */
public final class FreePorts {
    private static final int FIRST = 12_000;
    private static final int COUNT = 20_000;
    private static final AtomicInteger NEXT =
            new AtomicInteger(ThreadLocalRandom.current().nextInt(COUNT));

    private FreePorts() {}

    public static HostPort next() {
        while (true) {
            int port = FIRST + Math.floorMod(NEXT.getAndIncrement(), COUNT);
            try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return new HostPort("127.0.0.1", probe.getLocalPort());
            } catch (IOException e) {
                // Taken: the next.
            }
        }
    }
}
