package photon.server.roles;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Remembers which datacenters the configuration of one daemon has named at its last start, so that
 * one that a person has taken out is told from one that came elsewhere. Used under the daemon's
 * lock.
 */
final class ConfiguredDatacenters {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path directory;

    /**
     * @param directory the daemon's own, which its lock is in
     */
    ConfiguredDatacenters(Path directory) {
        this.directory = directory;
    }

    /** Empty: it has never started, or a version did that has not remembered. */
    Set<String> before() throws IOException {
        Set<String> names = new TreeSet<>();
        try {
            for (JsonNode name : JSON.readTree(Files.readString(file())).path("datacenters")) {
                names.add(name.asText());
            }
        } catch (NoSuchFileException e) {
            // None was remembered.
        }
        return names;
    }

    /** Not synced: a crash that forgets it costs a refusal, and no event. */
    void remember(List<String> datacenters) throws IOException {
        if (before().equals(new TreeSet<>(datacenters))) {
            return;
        }
        ObjectNode document = JSON.createObjectNode();
        datacenters.forEach(document.putArray("datacenters")::add);
        Files.createDirectories(directory);
        Path aside = directory.resolve("datacenters.json.new");
        Files.writeString(aside, document + "\n");
        Files.move(aside, file(), StandardCopyOption.ATOMIC_MOVE);
    }

    private Path file() {
        return directory.resolve("datacenters.json");
    }
}
