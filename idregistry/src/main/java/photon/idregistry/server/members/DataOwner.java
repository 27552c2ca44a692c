package photon.idregistry.server.members;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import photon.core.error.ConfigException;
import photon.idregistry.server.config.RegistryServerConfig;
import photon.idregistry.server.config.RegistryServerConfig.Peer;

/**
 * Whose a data directory is: the file {@code server} in it, written once its groups are there. A
 * server that took another one's log for its own could vote twice. Which servers are members stands
 * in the logs, and may be others than the configuration lists; where each is stands in both.
 */
public final class DataOwner {
    private static final String FILE = "server";

    private DataOwner() {}

    /**
     * Before anything is opened.
     *
     * @throws ConfigException that names both values, if the directory is another server's, or its
     *     groups have other members
     */
    public static void check(RegistryServerConfig config) {
        Path file = config.data().resolve(FILE);
        List<String> mine = describe(config);
        try {
            if (!Files.exists(file)) {
                return;
            }
            List<String> kept = Files.readAllLines(file);
            if (kept.isEmpty() || !kept.get(0).equals(mine.get(0))) {
                throw new ConfigException(
                        "The registry data in %s is that of %s, but this is %s: expected a directory of this server's own"
                                .formatted(
                                        config.data(),
                                        kept.isEmpty() ? "nobody" : kept.get(0),
                                        mine.get(0)));
            }
            if (moved(kept, mine)) {
                throw new ConfigException(
                        "The registry data in %s was made with the servers %s, but the configuration lists %s: expected the same Raft address for each name, since they stand in its logs"
                                .formatted(config.data(), others(kept), others(mine)));
            }
        } catch (IOException e) {
            throw unusable(config, e);
        }
    }

    /** True once its groups have been made. */
    static boolean isKept(Path data) {
        return Files.exists(data.resolve(FILE));
    }

    /** Servers come and go; one that stays is where it was. */
    private static boolean moved(List<String> kept, List<String> mine) {
        Map<String, String> addresses = new HashMap<>();
        kept.stream().skip(1).forEach(line -> addresses.put(name(line), line));
        return mine.stream()
                .skip(1)
                .anyMatch(line -> !addresses.getOrDefault(name(line), line).equals(line));
    }

    private static String name(String line) {
        return line.substring(0, Math.max(0, line.lastIndexOf(' ')));
    }

    private static ConfigException unusable(RegistryServerConfig config, IOException e) {
        return new ConfigException(
                "Cannot use the registry's data directory %s: %s. Expected a directory that is ours to write"
                        .formatted(config.data(), e));
    }

    /** Once its groups are made, and not before: a start that failed may be tried otherwise. */
    public static void keep(RegistryServerConfig config) {
        Path file = config.data().resolve(FILE);
        try {
            List<String> mine = describe(config);
            List<String> kept = Files.exists(file) ? Files.readAllLines(file) : List.of();
            boolean own = kept.isEmpty() || kept.get(0).equals(mine.get(0));
            if (own && !kept.equals(mine)) {
                write(file, mine);
            }
        } catch (IOException e) {
            throw unusable(config, e);
        }
    }

    /** First itself, then all members by name. */
    private static List<String> describe(RegistryServerConfig config) {
        List<String> lines = new ArrayList<>();
        lines.add("server " + config.name());
        config.peers().stream()
                .map((Peer peer) -> peer.name() + " " + peer.raft())
                .sorted()
                .forEach(lines::add);
        return lines;
    }

    private static String others(List<String> lines) {
        return lines.stream().skip(1).collect(Collectors.joining(", ", "[", "]"));
    }

    private static void write(Path file, List<String> lines) throws IOException {
        Path aside = file.resolveSibling(FILE + ".new");
        Files.write(aside, lines, StandardCharsets.UTF_8);
        try (FileChannel channel = FileChannel.open(aside, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
        Path directory = Objects.requireNonNull(file.toAbsolutePath().getParent());
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
