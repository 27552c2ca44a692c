package photon.cli.registry;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import photon.idregistry.server.config.RegistryServerConfig;

/** A configuration that names a registry's servers, and no other process that runs. */
final class RegistryConfigFile {
    private RegistryConfigFile() {}

    static Path write(Path directory, List<RegistryServerConfig.Peer> peers) throws IOException {
        StringBuilder replicas = new StringBuilder();
        for (RegistryServerConfig.Peer peer : peers) {
            replicas.append(
                    "    - {name: %s, datacenter: east, raft: \"%s\", service: \"%s\"}\n"
                            .formatted(peer.name(), peer.raft(), peer.service()));
        }
        return Files.writeString(
                directory.resolve("photon.yaml"),
                """
                pipeline: ads
                datacenters: [east]
                primary:
                  paths: ["a*.csv"]
                  format: {type: csv, columns: [link, made]}
                  id: {from: [link]}
                  timestamp: {field: made, unit: micros}
                foreign:
                  paths: ["b*.csv"]
                  format: {type: csv, columns: [click, at, link]}
                  id: {from: [click]}
                  timestamp: {field: at, unit: micros}
                  primaryId: {from: [link]}
                deployment:
                  datacenter: east
                  eventStore: 127.0.0.1:7401
                  dispatcher: 127.0.0.1:7402
                  joiners:
                    - {name: joiner-0, address: "127.0.0.1:7403"}
                  registry:
                """
                        + replicas);
    }
}
