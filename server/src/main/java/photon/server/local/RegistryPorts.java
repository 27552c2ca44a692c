package photon.server.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import photon.core.error.ConfigException;
import photon.core.rpc.LoopbackPorts;

/**
 * The loopback ports of a local registry. Chosen free at the first start and kept: the replicas'
 * addresses stand in their Raft logs.
 */
final class RegistryPorts {
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
                if (!LoopbackPorts.isFree(port)) {
                    throw new ConfigException(
                            "Port "
                                    + port
                                    + " of 127.0.0.1 is in use, but the registry of this state directory needs it ("
                                    + file
                                    + "): stop the process that uses it");
                }
            }
            return ports;
        }
        List<Integer> ports = LoopbackPorts.choose(count, random);
        ArrayNode array = new ObjectMapper().createArrayNode();
        ports.forEach(array::add);
        Path directory = Objects.requireNonNull(file.toAbsolutePath().getParent());
        Files.createDirectories(directory);
        Path aside = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(aside, array.toString());
        force(aside, StandardOpenOption.WRITE);
        Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
        force(directory, StandardOpenOption.READ); // or a power cut gives the registry other ports
        return ports;
    }

    private static void force(Path path, StandardOpenOption how) throws IOException {
        try (FileChannel channel = FileChannel.open(path, how)) {
            channel.force(true);
        }
    }
}
