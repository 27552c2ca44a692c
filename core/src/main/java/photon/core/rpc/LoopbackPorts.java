package photon.core.rpc;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import photon.core.error.ConfigException;

/**
 * Free ports of 127.0.0.1, below the range from which systems take the ports of outgoing
 * connections. A process takes them out of blocks, each its own as long as it lives: it keeps the
 * first port of a block bound, so no other process that chooses here gets a port that this one has
 * chosen and does not use at the moment. A program that chooses otherwise may still take one: who
 * uses it is then refused the port, and says so. Thread-safe.
 */
public final class LoopbackPorts {
    private static final int LOWEST = 15_000;
    private static final int HIGHEST = 31_000;
    private static final int BLOCK = 64;
    private static final int BLOCKS = (HIGHEST - LOWEST) / BLOCK;
    private static final int TRIES_MAX = 10_000;

    /** Those of this process. */
    private static final List<Block> OURS = new ArrayList<>();

    /** Nobody in this process is given what another was given before, as long as there is more. */
    private static int given;

    private LoopbackPorts() {}

    /**
     * @param guard bound to the first port; never closed
     */
    private record Block(ServerSocket guard) {
        /**
         * @param n 0 to {@link #BLOCK} - 2
         */
        int port(int n) {
            return guard.getLocalPort() + 1 + n;
        }
    }

    /**
     * @throws ConfigException if there are not so many
     */
    public static List<Integer> choose(int count, RandomGenerator random) throws IOException {
        List<ServerSocket> held = new ArrayList<>();
        try {
            // All are held until the last is found, so that two who choose at the same time, and
            // by bad luck the same numbers, do not both get them.
            for (int tries = 0; held.size() < count && tries < TRIES_MAX; tries++) {
                ServerSocket socket = bind(next(random));
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

    private static synchronized int next(RandomGenerator random) throws IOException {
        if (given == OURS.size() * (BLOCK - 1)) {
            takeBlock(random);
        }
        int n = given++;
        return OURS.get(n / (BLOCK - 1)).port(n % (BLOCK - 1));
    }

    /** Begins again with the first of ours if no other is free. */
    private static void takeBlock(RandomGenerator random) throws IOException {
        int first = random.nextInt(BLOCKS);
        for (int n = 0; n < BLOCKS; n++) {
            ServerSocket guard = bind(LOWEST + (first + n) % BLOCKS * BLOCK);
            if (guard != null) {
                OURS.add(new Block(guard));
                return;
            }
        }
        if (OURS.isEmpty()) {
            throw new ConfigException(
                    "Expected free ports on 127.0.0.1 from %s to %s, but others have all of them"
                            .formatted(LOWEST, HIGHEST - 1));
        }
        given = 0;
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
