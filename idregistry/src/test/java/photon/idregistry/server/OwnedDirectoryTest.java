package photon.idregistry.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import photon.core.error.ConfigException;
import photon.core.rpc.HostPort;
import photon.core.time.IntervalClock;
import photon.idregistry.raft.FreePorts;
import photon.idregistry.server.config.RegistryServerConfig;
import photon.idregistry.server.config.RegistryServerConfig.Peer;

/** That a server asks whose a directory is before it opens it, and says so once it is its own. */
@Timeout(300)
class OwnedDirectoryTest {
    private final Queue<String> bugs = new ConcurrentLinkedQueue<>();

    @TempDir Path data;

    private RegistryServerConfig config(String name) {
        return RegistryServerConfig.of(
                name, List.of(new Peer(name, FreePorts.next(), FreePorts.next())), data);
    }

    private RegistryServer start(RegistryServerConfig config) {
        IntervalClock clock = () -> new IntervalClock.Interval(1_000_000, 1_000_001);
        return RegistryServer.start(config, clock, (where, bug) -> bugs.add(where + ": " + bug));
    }

    private List<String> files() throws IOException {
        try (Stream<Path> found = Files.walk(data)) {
            return found.map(Path::toString).sorted().toList();
        }
    }

    @Test
    void anotherServersDirectoryIsRefusedAndStaysAsItIs() throws IOException {
        start(config("r0")).close();
        List<String> before = files();
        assertThat(before).contains(data.resolve("server").toString());
        assertThatThrownBy(() -> start(config("r1")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll(data.toString(), "that of server r0", "this is server r1");
        assertThat(files()).isEqualTo(before);
        assertThat(bugs).isEmpty();
    }

    @Test
    void aStartThatFailedLeavesTheDirectoryToWhoTriesNext() throws IOException {
        RegistryServerConfig failing = config("r0");
        try (ServerSocket taken = new ServerSocket()) {
            HostPort raft = failing.peers().get(0).raft();
            taken.bind(new InetSocketAddress(raft.host(), raft.port()));
            assertThatThrownBy(() -> start(failing))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("Cannot listen on");
        }
        start(config("r1")).close();
        assertThat(Files.readAllLines(data.resolve("server"))).first().isEqualTo("server r1");
        assertThat(bugs).isEmpty();
    }
}
