package photon.core.rpc;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import photon.core.error.ConfigException;

/**
 * Free ports of 127.0.0.1, below the range from which systems take the ports of outgoing
 * connections. Somebody else may take one between the choice and its use: whoever uses it is then
 * refused the port, and says so.
 */
public final class LoopbackPorts {
    private static final int LOWEST = 15_000;
    private static final int HIGHEST = 31_000;
    private static final int TRIES_MAX = 10_000;

    /**
     * The next to be tried: nobody in this process is given what another was given before, and two
     * processes meet only if they begin close to each other.
     */
    private static final AtomicInteger NEXT = new AtomicInteger();

    private LoopbackPorts() {}

    /**
     * @throws ConfigException if there are not so many
     */
    public static List<Integer> choose(int count, RandomGenerator random) throws IOException {
        NEXT.compareAndSet(0, random.nextInt(LOWEST, HIGHEST));
        List<ServerSocket> held = new ArrayList<>();
        try {
            // All are held until the last is found, so that two who choose at the same time, and
            // by bad luck the same numbers, do not both get them.
            for (int tries = 0; held.size() < count && tries < TRIES_MAX; tries++) {
                ServerSocket socket = bind(next());
                if (socket != null) {
                    held.add(socket);
                }
            }
            if (held.size() < count) {
                throw new ConfigException(
                        "Expected %s free ports on 127.0.0.1, but found %s"
                                .formatted(count, held.size()));
            }
            return held.stream().map(ServerSocket::getLocalPort).toList();
        } finally {
            for (ServerSocket socket : held) {
                socket.close();
            }
        }
    }

    private static int next() {
        return NEXT.getAndUpdate(port -> port + 1 < HIGHEST ? port + 1 : LOWEST);
    }

    public static boolean isFree(int port) throws IOException {
        try (ServerSocket socket = bind(port)) {
            return socket != null;
        }
    }

    private static @Nullable ServerSocket bind(int port) throws IOException {
        ServerSocket socket = new ServerSocket();
        try {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return socket;
        } catch (IOException e) {
            socket.close();
            return null;
        }
    }
}
