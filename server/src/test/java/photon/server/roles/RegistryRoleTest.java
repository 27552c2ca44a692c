package photon.server.roles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import photon.core.config.DeploymentConfig;
import photon.core.error.ConfigException;
import photon.core.rpc.HostPort;
import photon.idregistry.raft.RaftTuning;
import photon.idregistry.server.config.RegistryServerConfig;

class RegistryRoleTest {
    private static final long GIB = 1L << 30;

    private static RegistryServerConfig settings(OptionalLong memoryBytes, long heapBytes) {
        DeploymentConfig deployment =
                new DeploymentConfig(
                        "east",
                        "/state",
                        "/state",
                        1,
                        "/out",
                        List.of(
                                new DeploymentConfig.RegistryReplica(
                                        "r0",
                                        "east",
                                        new HostPort("h", 7100),
                                        new HostPort("0.0.0.0", 7101),
                                        new HostPort("h", 7200),
                                        3)),
                        List.of(
                                new DeploymentConfig.EventStore(
                                        "eventstore-0", new HostPort("h", 7401))),
                        1,
                        new HostPort("h", 7402),
                        List.of(new DeploymentConfig.Joiner("joiner-0", new HostPort("h", 7403))),
                        DeploymentConfig.Network.WAN,
                        memoryBytes,
                        DeploymentConfig.Clock.CHRONY);
        return RegistryRole.settings(deployment, "r0", Path.of("/state"), heapBytes);
    }

    @Test
    void theDeploymentSaysTheSettings() {
        RegistryServerConfig settings = settings(OptionalLong.of(GIB / 2), 2 * GIB);
        assertThat(settings.memoryBytes()).isEqualTo(GIB / 2);
        assertThat(settings.tuning()).isEqualTo(RaftTuning.WAN);
        assertThat(settings.data()).isEqualTo(Path.of("/state/registry/r0"));
        assertThat(settings.peers().get(0).raftListen()).isEqualTo(new HostPort("0.0.0.0", 7101));
        assertThat(settings.peers().get(0).leaderWeight()).isEqualTo(3);
    }

    @Test
    void idsTakeAQuarterOfTheHeapWhereNothingIsSaid() {
        assertThat(settings(OptionalLong.empty(), 2 * GIB).memoryBytes()).isEqualTo(GIB / 2);
    }

    @Test
    void moreThanAThirdOfTheHeapIsRefused() {
        assertThat(settings(OptionalLong.of(GIB), 3 * GIB).memoryBytes()).isEqualTo(GIB);
        assertThatThrownBy(() -> settings(OptionalLong.of(GIB + 1), 3 * GIB))
                .isInstanceOf(ConfigException.class)
                .hasMessage(
                        "deployment.registryMemoryBytes is 1073741825 bytes: expected at most a third of the process's heap of 3072 MiB, so 1024MiB, or a larger PHOTON_HEAP");
    }

    @Test
    void noMemoryIsRefusedByTheKeyOfTheFile() {
        assertThatThrownBy(() -> settings(OptionalLong.of(0), 2 * GIB))
                .isInstanceOf(ConfigException.class)
                .hasMessage("Expected deployment.registryMemoryBytes above 0, but got 0");
    }
}
