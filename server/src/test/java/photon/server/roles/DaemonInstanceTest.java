package photon.server.roles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import photon.core.config.DeploymentConfig;
import photon.core.error.ConfigException;
import photon.core.rpc.HostPort;
import photon.server.datacenters.DatacenterPaths;

/** Which event store a process is, and where its state lies. */
class DaemonInstanceTest {
    private static DeploymentConfig deployment(String... stores) {
        List<DeploymentConfig.EventStore> list =
                Arrays.stream(stores)
                        .map(s -> new DeploymentConfig.EventStore(s, new HostPort(s, 7401)))
                        .toList();
        return new DeploymentConfig(
                "east",
                "/state",
                "/shared",
                8,
                "/out",
                List.of(),
                list,
                1,
                new HostPort("h", 7402),
                List.of(new DeploymentConfig.Joiner("joiner-0", new HostPort("h", 7403))),
                DeploymentConfig.Network.LAN,
                OptionalLong.empty(),
                DeploymentConfig.Clock.CHRONY);
    }

    private static DaemonInstance of(String name, DeploymentConfig deployment) {
        return DaemonInstance.of(DaemonRun.Role.EVENTSTORE, name, deployment);
    }

    @Test
    void oneThatIsAloneHasNoNameAndNeedsNone() {
        DeploymentConfig alone = deployment("eventstore-0");
        assertThat(of("", alone).name()).isEmpty();
        assertThat(of("eventstore-0", alone).name()).isEmpty();
        assertThat(of("", alone).listens(alone, Optional.empty()))
                .containsExactly(
                        new DaemonInstance.Listens(
                                "deployment.eventStore", new HostPort("eventstore-0", 7401)));
        assertThat(of("", deployment("other")).name()).isEmpty();
        assertThatThrownBy(() -> of("eventstore-1", alone))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("--name is 'eventstore-1'");
    }

    /** With one, it would hold another lock than who looks whether it runs. */
    @Test
    void dispatchersAndVerifiersHaveNoName() {
        DeploymentConfig alone = deployment("eventstore-0");
        for (DaemonRun.Role role : List.of(DaemonRun.Role.DISPATCHER, DaemonRun.Role.VERIFIER)) {
            assertThat(DaemonInstance.of(role, "", alone).name()).isEmpty();
            assertThatThrownBy(() -> DaemonInstance.of(role, "d2", alone))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("--name is 'd2': expected none");
        }
    }

    @Test
    void oneOfSeveralIsTheOneThatIsNamed() {
        DeploymentConfig two = deployment("eventstore-0", "eventstore-1");
        assertThat(of("", two).name()).isEqualTo("eventstore-0");
        assertThat(of("eventstore-1", two).listens(two, Optional.empty()))
                .containsExactly(
                        new DaemonInstance.Listens(
                                "deployment.eventStores[].address",
                                new HostPort("eventstore-1", 7401)));
        assertThatThrownBy(() -> of("", deployment("a", "b")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("one of a, b");
    }

    /** Two processes that are given lists of before and after must not both open one index. */
    @Test
    void aStoreKeepsItsStateAndItsLockWhenOthersComeBesideIt() {
        DeploymentConfig alone = deployment("eventstore-0");
        DeploymentConfig two = deployment("eventstore-0", "b");
        assertThat(of("", alone).lock(alone))
                .isEqualTo(of("eventstore-0", two).lock(two))
                .isEqualTo(Path.of("/state/east/locks/eventstore"));
        assertThat(of("b", two).lock(two)).isEqualTo(Path.of("/state/east/locks/eventstore-b"));
        assertThat(of("", deployment("b")).lock(deployment("b"))).isEqualTo(of("b", two).lock(two));
        DatacenterPaths paths = DatacenterPaths.of("east", two);
        assertThat(paths.eventStore("eventstore-0")).isEqualTo("/state/east/eventstore");
        assertThat(paths.eventStoreLedger("eventstore-0"))
                .isEqualTo("/shared/east/eventstore/ledger");
        assertThat(paths.eventStore("b")).isEqualTo("/state/east/eventstores/b");
        assertThat(paths.eventStoreLedger("b")).isEqualTo("/shared/east/eventstores/b/ledger");
    }
}
