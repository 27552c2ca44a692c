package photon.tools.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import photon.cli.Repository;
import photon.core.config.ConfigLoader;
import photon.core.config.DeploymentConfig;
import photon.core.rpc.HostPort;

/**
 * The files of {@code deploy/compose} agree with each other. That the containers run is tested by
 * {@code suites/containers}, where there is an engine.
 */
class ComposeTest {
    static final Path COMPOSE = Repository.root().resolve("deploy/compose");

    private static final int METRICS_PORT = 9464;

    /** The version that images of this source have. */
    static String imageVersion() throws IOException {
        String pom = Files.readString(Repository.root().resolve("pom.xml"));
        String from = "<artifactId>photon-parent</artifactId>";
        String rest = pom.substring(pom.indexOf("<version>", pom.indexOf(from)) + 9);
        return rest.substring(0, rest.indexOf("</version>")).toLowerCase(Locale.ROOT);
    }

    private static JsonNode services() throws IOException {
        return new YAMLMapper().readTree(COMPOSE.resolve("compose.yaml").toFile()).get("services");
    }

    private static Set<String> hosts() throws IOException {
        Set<String> hosts = new TreeSet<>();
        services()
                .properties()
                .forEach(
                        service -> {
                            if (service.getValue().has("hostname")) {
                                assertThat(service.getValue().get("hostname").asText())
                                        .isEqualTo(service.getKey());
                                hosts.add(service.getKey());
                            }
                        });
        return hosts;
    }

    private static DeploymentConfig deployment(String place) {
        ConfigLoader.Loaded loaded = ConfigLoader.load(COMPOSE.resolve(place + ".yaml"));
        assertThat(loaded.metricsListen()).contains(new HostPort("0.0.0.0", METRICS_PORT));
        return loaded.deployment().orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(strings = {"east", "west"})
    void eachAddressOfADatacenterIsAContainerThatListensThere(String place) throws Exception {
        DeploymentConfig deployment = deployment(place);
        List<String> daemons =
                Stream.of(deployment.dispatcher(), deployment.joiners().get(0).address())
                        .map(HostPort::host)
                        .toList();
        assertThat(daemons).containsExactly(place + "-dispatcher", place + "-joiner");
        assertThat(hosts()).containsAll(daemons);
        JsonNode services = services();
        assertThat(deployment.eventStores()).hasSize(2);
        for (DeploymentConfig.EventStore store : deployment.eventStores()) {
            String host = store.address().host();
            assertThat(host).isEqualTo(place + "-" + store.name());
            assertThat(services.at("/%s/command".formatted(host)))
                    .map(JsonNode::asText)
                    .containsExactly("run", "eventstore", "--name", store.name());
        }
        for (String role : List.of("dispatcher", "joiner", "verifier")) {
            assertThat(services.at("/%s-%s/command".formatted(place, role)))
                    .map(JsonNode::asText)
                    .containsExactly("run", role);
        }
    }

    @Test
    void allPlacesListTheSameFiveServersAndEachIsAContainer() throws Exception {
        List<DeploymentConfig.RegistryReplica> servers = deployment("east").registry();
        assertThat(servers).hasSize(5);
        assertThat(deployment("west").registry()).isEqualTo(servers);
        assertThat(deployment("witness").registry()).isEqualTo(servers);
        JsonNode services = services();
        for (DeploymentConfig.RegistryReplica server : servers) {
            String host = server.service().host();
            assertThat(host).startsWith(server.datacenter() + "-registry-");
            assertThat(server.raft().host()).isEqualTo(host);
            assertThat(services.at("/%s/command".formatted(host)))
                    .map(JsonNode::asText)
                    .containsExactly("run", "registry", "--name", server.name());
        }
        // No place has half of them, so that none is needed.
        assertThat(servers.stream().map(DeploymentConfig.RegistryReplica::datacenter))
                .containsExactlyInAnyOrder("east", "east", "west", "west", "witness");
    }

    @Test
    void prometheusAsksEachContainerAndCertificatesNameEach() throws Exception {
        JsonNode prometheus =
                new YAMLMapper().readTree(COMPOSE.resolve("prometheus.yaml").toFile());
        JsonNode targets = prometheus.at("/scrape_configs/0/static_configs/0/targets");
        assertThat(StreamSupport.stream(targets.spliterator(), false).map(JsonNode::asText))
                .containsExactlyInAnyOrderElementsOf(
                        hosts().stream().map(host -> host + ":" + METRICS_PORT).toList());
        String up = Files.readString(COMPOSE.resolve("up"));
        for (String host : hosts()) {
            assertThat(up.replace("$place", host.startsWith("east") ? "east" : "west"))
                    .contains(host);
        }
    }

    /** All but registry servers, which keep nothing there; each uses its own datacenter's. */
    @ParameterizedTest
    @ValueSource(strings = {"east", "west"})
    void withHdfsEachDaemonOfADatacenterUsesItsNameNode(String place) throws Exception {
        JsonNode overlay;
        try (var file = Files.newBufferedReader(COMPOSE.resolve("hdfs.yaml"))) {
            // This parser knows aliases.
            Object parsed = new Yaml(new SafeConstructor(new LoaderOptions())).load(file);
            overlay = new ObjectMapper().valueToTree(parsed);
        }
        overlay = overlay.get("services");
        String nameNode = "hdfs://%s-namenode:8020".formatted(place);
        for (String host : hosts()) {
            if (host.startsWith(place) && !host.contains("registry")) {
                JsonNode environment = overlay.at("/%s/environment".formatted(host));
                assertThat(environment.at("/PHOTON_CONFIG_deployment_output").asText())
                        .as(host)
                        .startsWith(nameNode + "/");
                assertThat(environment.at("/PHOTON_CONFIG_deployment_shared").asText())
                        .as(host)
                        .startsWith(nameNode + "/");
                // The logs are no URIs.
                assertThat(environment.at("/PHOTON_CONFIG_deployment_partitions").asInt())
                        .isEqualTo(1);
            }
        }
        for (String server : List.of("namenode", "datanode-0", "datanode-1")) {
            JsonNode service = overlay.get(place + "-" + server);
            assertThat(service.get("hostname").asText()).isEqualTo(place + "-" + server);
            assertThat(service.at("/labels/photon.datacenter").asText()).isEqualTo(place);
            assertThat(service.get("command"))
                    .map(JsonNode::asText)
                    .containsExactly(
                            server.replaceAll("-.*", ""), "-D", "fs.defaultFS=" + nameNode);
        }
    }

    @Test
    void theImagesAreOfThisVersion() throws Exception {
        Properties settings = new Properties();
        try (var file = Files.newBufferedReader(COMPOSE.resolve(".env"))) {
            settings.load(file);
        }
        assertThat(settings.getProperty("PHOTON_VERSION")).isEqualTo(imageVersion());
    }
}
