package photon.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.core.config.ConfigLoader;
import photon.core.config.DeploymentConfig;
import photon.testbed.process.ProcessName;

class DemoLayoutTest {
    @TempDir Path directory;

    @Test
    void everyPlaceHasAConfigurationAndNoPortIsGivenTwice() throws Exception {
        DemoLayout layout = new DemoLayout(directory, 1, new Random());
        layout.write(DemoRun.STREAMS);
        Set<Integer> ports = new HashSet<>();
        int listeners = 0;
        for (String datacenter : DemoLayout.DATACENTERS) {
            DeploymentConfig deployment =
                    ConfigLoader.load(layout.config(datacenter)).deployment().orElseThrow();
            assertThat(deployment.datacenter()).isEqualTo(datacenter);
            assertThat(Path.of(deployment.state()).resolve(datacenter))
                    .isEqualTo(layout.state(datacenter));
            assertThat(Path.of(deployment.output()).resolve(datacenter))
                    .isEqualTo(layout.output(datacenter));
            assertThat(deployment.registry())
                    .extracting(DeploymentConfig.RegistryReplica::name)
                    .containsExactlyElementsOf(
                            layout.replicas().stream().map(ProcessName::name).toList());
            deployment
                    .registry()
                    .forEach(r -> ports.addAll(List.of(r.raft().port(), r.service().port())));
            ports.addAll(
                    List.of(
                            deployment.eventStoreAddresses().get(0).port(),
                            deployment.dispatcher().port(),
                            deployment.joiners().get(0).address().port()));
            listeners += 3;
        }
        assertThat(ports).hasSize(listeners + 10);
        assertThat(layout.config(DemoLayout.WITNESS)).isEqualTo(layout.config(DemoLayout.EAST));
    }

    @Test
    void noPlaceHasAMajorityOfTheRegistry() throws Exception {
        DemoLayout layout = new DemoLayout(directory, 2, new Random());
        for (String place : List.of("east", "west", "witness")) {
            assertThat(layout.processesIn(place).stream().filter(ProcessName::isRegistry).count())
                    .isLessThanOrEqualTo(layout.replicas().size() / 2);
        }
        assertThat(layout.processes()).hasSize(5 + 2 * 5).doesNotHaveDuplicates();
        assertThat(layout.arguments(layout.joiners("west").get(1)))
                .startsWith("run", "joiner", "--config", directory.resolve("west.yaml").toString())
                .endsWith("--name", "joiner-1");
    }

    @Test
    void onHdfsEachMachineHasADispatcherAnEventStoreAJoinerAndAStateOfItsOwn() throws Exception {
        DemoPlaces places =
                new DemoPlaces(
                        2,
                        Map.of("east", "hdfs://127.0.0.1:7", "west", "hdfs://127.0.0.1:8"),
                        Map.of("dfs.replication", "2"));
        DemoLayout layout = new DemoLayout(directory, 2, places, new Random());
        layout.write(datacenter -> DemoRun.streams(places, datacenter));
        Set<String> dispatchers = new HashSet<>();
        Set<String> states = new HashSet<>();
        for (String datacenter : DemoLayout.DATACENTERS) {
            for (int machine = 0; machine < 2; machine++) {
                ProcessName dispatcher = layout.dispatchers(datacenter).get(machine);
                List<String> arguments = layout.arguments(dispatcher);
                assertThat(arguments).startsWith("run", "dispatcher").doesNotContain("--name");
                Path config = Path.of(arguments.get(arguments.indexOf("--config") + 1));
                assertThat(layout.arguments(layout.joiners(datacenter).get(machine)))
                        .contains(config.toString(), "--name");
                ProcessName store = layout.eventStores(datacenter).get(machine);
                assertThat(layout.arguments(store))
                        .startsWith("run", "eventstore", "--config", config.toString())
                        .endsWith("--name", "eventstore-" + machine);
                ConfigLoader.Loaded loaded = ConfigLoader.load(config);
                String hdfs = places.hdfs().get(datacenter);
                assertThat(loaded.pipeline().foreign().paths())
                        .containsExactly(hdfs + "/logs/foreign/*.log*");
                assertThat(loaded.hadoop().settings()).containsEntry("dfs.replication", "2");
                DeploymentConfig deployment = loaded.deployment().orElseThrow();
                assertThat(deployment.shared() + "/" + datacenter)
                        .isEqualTo(layout.paths(datacenter).shared())
                        .startsWith(hdfs);
                assertThat(deployment.output() + "/" + datacenter)
                        .isEqualTo(layout.paths(datacenter).output())
                        .startsWith(hdfs);
                assertThat(deployment.eventStores())
                        .extracting(
                                DeploymentConfig.EventStore::name,
                                each -> each.address().toString())
                        .containsExactlyElementsOf(
                                layout.eventStores(datacenter).stream()
                                        .map(each -> tuple(each.name(), layout.address(each)))
                                        .toList());
                // Each keeps all: one may die.
                assertThat(deployment.eventStoreCopies()).isEqualTo(2);
                dispatchers.add(datacenter + deployment.dispatcher());
                states.add(datacenter + deployment.state());
            }
        }
        assertThat(dispatchers).hasSize(4);
        assertThat(states).hasSize(4);
        assertThat(layout.processes()).hasSize(5 + 2 * 7).doesNotHaveDuplicates();
    }
}
