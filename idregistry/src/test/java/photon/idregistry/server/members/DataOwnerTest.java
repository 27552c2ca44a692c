package photon.idregistry.server.members;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.core.error.ConfigException;
import photon.core.rpc.HostPort;
import photon.idregistry.server.config.RegistryServerConfig;
import photon.idregistry.server.config.RegistryServerConfig.Peer;

class DataOwnerTest {
    private static final List<Peer> PEERS =
            List.of(peer("r0", 7100, 7200), peer("r1", 7101, 7201), peer("r2", 7102, 7202));

    @TempDir Path data;

    private static Peer peer(String name, int raft, int service) {
        return new Peer(name, new HostPort("h", raft), new HostPort("h", service));
    }

    private RegistryServerConfig config(String name, List<Peer> peers) {
        return RegistryServerConfig.of(name, peers, data);
    }

    private void refused(RegistryServerConfig config, String... parts) {
        assertThatThrownBy(() -> DataOwner.check(config))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll(parts);
    }

    @Test
    void aNewDirectoryIsAnybodysUntilTheFirstStartHasSucceeded() {
        DataOwner.check(config("r1", PEERS));
        assertThat(data).isEmptyDirectory();
        DataOwner.check(config("r0", PEERS));
        DataOwner.keep(config("r0", PEERS));
        DataOwner.check(config("r0", PEERS));
        refused(config("r1", PEERS), data.toString(), "that of server r0", "this is server r1");
        DataOwner.keep(config("r1", PEERS));
        DataOwner.check(config("r0", PEERS));
    }

    @Test
    void otherRaftAddressesAreRefusedAndOtherServiceAddressesAreNot() {
        DataOwner.keep(config("r0", PEERS));
        List<Peer> turned = new ArrayList<>(PEERS);
        Collections.reverse(turned);
        turned.set(0, peer("r2", 7102, 9999));
        DataOwner.check(config("r0", turned));
        List<Peer> moved = new ArrayList<>(PEERS);
        moved.set(1, peer("r1", 7109, 7201));
        refused(
                config("r0", moved),
                "[r0 h:7100, r1 h:7101, r2 h:7102]",
                "r1 h:7109",
                "expected the same Raft address for each name");
    }

    @Test
    void serversComeAndGoAndEachStaysWhereItIs() {
        DataOwner.keep(config("r0", PEERS.subList(0, 2)));
        DataOwner.check(config("r0", PEERS));
        DataOwner.keep(config("r0", PEERS));
        List<Peer> moved = new ArrayList<>(PEERS.subList(0, 2));
        moved.add(peer("r2", 7109, 7202));
        refused(config("r0", moved), "r2 h:7102", "r2 h:7109");
        DataOwner.check(config("r0", PEERS.subList(0, 2)));
        DataOwner.keep(config("r0", PEERS.subList(0, 2)));
        // One that went may come back elsewhere.
        DataOwner.check(config("r0", moved));
    }

    @Test
    void aFileThatSaysNothingIsNobodysOwn() throws IOException {
        Files.writeString(data.resolve("server"), "");
        refused(config("r0", PEERS), "that of nobody");
    }

    @Test
    void whatCannotBeReadOrWrittenIsNamed() throws IOException {
        Files.createDirectory(data.resolve("server"));
        refused(config("r0", PEERS), "Cannot use the registry's data directory " + data);
        Path file = Files.writeString(data.resolve("file"), "x");
        assertThatThrownBy(() -> DataOwner.keep(RegistryServerConfig.of("r0", PEERS, file)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("Cannot use the registry's data directory " + file);
    }
}
