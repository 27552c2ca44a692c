package photon.cli.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import photon.core.error.ConfigException;

/**
 * The loopback ports of a local registry. Chosen free at the first start and kept: the replicas'
 * addresses stand in their Raft logs. Below the range from which systems take the ports of outgoing
 * connections.
 */
final class RegistryPorts {
    private static final int LOWEST = 15_000;
    private static final int HIGHEST = 31_000;

    private RegistryPorts() {}

    /**
     * @return {@code count} ports, always the same for one state directory
     * @throws ConfigException if one of them is in use now
     */
    static List<Integer> of(Path file, int count, RandomGenerator random) throws IOException {
        if (Files.exists(file)) {
            List<Integer> ports = new ArrayList<>();
            for (JsonNode port : new ObjectMapper().readTree(file.toFile())) {
                ports.add(port.asInt());
            }
            for (int port : ports) {
                if (!isFree(port)) {
                    throw new ConfigException(
                            "Port "
                                    + port
                                    + " of 127.0.0.1 is in use: expected it free, as the registry of this state"
                                    + " directory uses it ("
                                    + file
                                    + ")");
                }
            }
            return ports;
        }
        List<Integer> ports = new ArrayList<>();
        for (int tries = 0; ports.size() < count; tries++) {
            if (tries > 10_000) {
                throw new ConfigException(
                        "Expected "
                                + count
                                + " free ports on 127.0.0.1, but found "
                                + ports.size());
            }
            int port = random.nextInt(LOWEST, HIGHEST);
            if (!ports.contains(port) && isFree(port)) {
                ports.add(port);
            }
        }
        ArrayNode array = new ObjectMapper().createArrayNode();
        ports.forEach(array::add);
        Files.createDirectories(file.toAbsolutePath().getParent());
        Path aside = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(aside, array.toString());
        Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
        return ports;
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
