package photon.server.roles;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import photon.storage.document.VersionedDocument;
import photon.storage.files.FileStore;

/**
 * Remembers which datacenters the configuration of one daemon has named at its last start, so that
 * one that a person has taken out is told from one that came elsewhere. Used under the daemon's
 * lock.
 */
final class ConfiguredDatacenters {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final FileStore files;
    private final String directory;
    private final String daemon;

    /**
     * @param directory which outlasts the machine, where the daemon's state does
     * @param daemon its name in there
     */
    ConfiguredDatacenters(FileStore files, String directory, String daemon) {
        this.files = files;
        this.directory = directory;
        this.daemon = daemon;
    }

    /** Empty: it has never started. */
    Set<String> before() throws IOException {
        Set<String> names = new TreeSet<>();
        VersionedDocument.Version said = document().read().orElse(null);
        if (said != null) {
            for (JsonNode name : JSON.readTree(said.content()).path("datacenters")) {
                names.add(name.asText());
            }
        }
        return names;
    }

    void remember(List<String> datacenters) throws IOException {
        if (before().equals(new TreeSet<>(datacenters))) {
            return;
        }
        ObjectNode document = JSON.createObjectNode();
        datacenters.forEach(document.putArray("datacenters")::add);
        files.createDirectories(directory);
        long version = document().read().map(VersionedDocument.Version::number).orElse(0L);
        // False: another life of it has just written its own.
        boolean unused = document().write(version, JSON.writeValueAsBytes(document));
    }

    private VersionedDocument document() {
        return new VersionedDocument(files, directory, daemon + "-datacenters");
    }
}
