package photon.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import photon.core.config.EffectiveConfig.Origin;

/** What {@code photon config show} prints: the same configuration, and where it comes from. */
class EffectiveConfigTest {
    private static final Path FILE = Path.of("/etc/photon.yaml");

    private static final String TEXT =
            """
            pipeline: ads
            datacenters: [east]

            primary:
              paths: ["a*", b]
              format: {type: csv, separator: "\\t", comment: "#"}
              where: {event_type: ["0", 3, true, "off", "1e3", "a: b", "é\\n"]}
              id: {from: [a]}
              timestamp: {field: t, unit: millis}
            foreign:
              paths: b
              format: {type: framed}
              id: native
              primaryId: native
            limits:
            hadoop: {dfs.replication: 3}
            security: {mode: plaintext}
            deployment:
              datacenter: east
              registry:
                - {name: r0, datacenter: east, raft: "h:1", service: "h:2"}
                - name: r1
                  datacenter: east
                  raft: "h:3"
                  service: "h:4"
                  leaderWeight: 0
              eventStore: "h:5"
              dispatcher: "h:6"
              joiners: [{name: joiner-0, address: "h:7"}]
            """;

    static Stream<Path> examples() throws IOException {
        return ConfigSchemaTest.examples();
    }

    private static EffectiveConfig of(String yaml, Map<String, String> environment) {
        return EffectiveConfig.of(ConfigSource.parse(yaml, FILE, environment));
    }

    private static void assertThatItMeansTheSame(EffectiveConfig config, JsonNode said) {
        ConfigLoader.Loaded meant = ConfigLoader.reading(said, Path.of("/etc")).loaded();
        for (boolean origins : new boolean[] {false, true}) {
            String yaml = EffectiveYaml.of(config, origins);
            assertThat(DocumentedKeys.tree(yaml)).as(yaml).isEqualTo(tree(config));
            assertThat(ConfigLoader.parse(yaml, FILE)).as(yaml).isEqualTo(meant);
            assertThat(EffectiveYaml.of(of(yaml, Map.of()), false))
                    .as("nothing is left to add")
                    .isEqualTo(EffectiveYaml.of(config, false));
        }
    }

    /** Numbers as a reader of JSON makes them. */
    private static JsonNode tree(EffectiveConfig config) {
        try {
            return new ObjectMapper()
                    .readTree(EffectiveJson.of(config, false))
                    .get("configuration");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void anExampleReadAgainMeansTheSame(Path example) throws IOException {
        String text = Files.readString(example);
        assertThatItMeansTheSame(of(text, Map.of()), DocumentedKeys.tree(text));
    }

    @Test
    void everyKeyReadAgainMeansTheSame() {
        assertThatItMeansTheSame(of(TEXT, Map.of()), DocumentedKeys.tree(TEXT));
        for (DocumentedKeys.Sample sample : DocumentedKeys.samples()) {
            String text = sample.tree().toString();
            assertThatItMeansTheSame(of(text, Map.of()), sample.tree());
        }
    }

    @Test
    void eachKeyTellsWhereItComesFrom() {
        EffectiveConfig config =
                of(
                        TEXT,
                        Map.of(
                                "PHOTON_CONFIG_limits_publishEvery", "1s",
                                "PHOTON_CONFIG_deployment_joiners",
                                        "[{name: j, address: \"h:9\"}]"));
        assertThat(config.originOf("pipeline")).isEqualTo(new Origin.InFile(1));
        assertThat(config.originOf("primary.where.event_type")).isEqualTo(new Origin.InFile(7));
        assertThat(config.originOf("limits.rollFiles")).isEqualTo(new Origin.OfPhoton());
        assertThat(config.originOf("deployment.registry[1].raft")).isEqualTo(new Origin.InFile(24));
        assertThat(config.originOf("deployment.joiners[0].name"))
                .isEqualTo(new Origin.InVariable("PHOTON_CONFIG_deployment_joiners"));
        assertThat(EffectiveYaml.of(config, true).lines())
                .contains(
                        "pipeline: ads  # /etc/photon.yaml:1",
                        "retention: unlimited  # default",
                        "  publishEvery: 1s  # PHOTON_CONFIG_limits_publishEvery",
                        "  publishBytes: 64MiB  # default",
                        "    - name: r1  # /etc/photon.yaml:22",
                        "      leaderWeight: 1  # default",
                        "    - name: j  # PHOTON_CONFIG_deployment_joiners");
        assertThat(EffectiveYaml.of(config, false)).doesNotContain("/etc", "# ", "default");
    }

    @Test
    void theJsonFormSaysTheSame() throws IOException {
        EffectiveConfig config = of(TEXT, Map.of("PHOTON_CONFIG_stagger", "5s"));
        JsonNode document = new ObjectMapper().readTree(EffectiveJson.of(config, true));
        assertThat(document.get("file").asText()).isEqualTo("/etc/photon.yaml");
        assertThat(document.at("/configuration/stagger").asText()).isEqualTo("5s");
        assertThat(document.get("origins"))
                .anyMatch(
                        each ->
                                each.toString()
                                        .equals(
                                                "{\"key\":\"stagger\",\"origin\":\"variable\",\"variable\":\"PHOTON_CONFIG_stagger\"}"))
                .anyMatch(
                        each ->
                                each.toString()
                                        .equals(
                                                "{\"key\":\"pipeline\",\"origin\":\"file\",\"line\":1}"))
                .anyMatch(
                        each ->
                                each.toString()
                                        .equals(
                                                "{\"key\":\"repair.fenceAfter\",\"origin\":\"default\"}"));
        assertThat(new ObjectMapper().readTree(EffectiveJson.of(config, false)).has("origins"))
                .isFalse();
    }

    /** A default is shown where it counts, and nowhere that it would change something. */
    @Test
    void defaultsAreShown() {
        JsonNode tree = of(TEXT, Map.of()).tree();
        assertThat(tree.at("/limits/retriesMax").isNumber()).isTrue();
        assertThat(tree.at("/output/format").asText()).isEqualTo("json-lines");
        assertThat(tree.at("/foreign/input/openMembers").asText()).isEqualTo("verify");
        assertThat(tree.at("/deployment/state").asText()).isEqualTo("photon-state");
        assertThat(tree.at("/deployment/clock/source").asText()).isEqualTo("chrony");
        assertThat(tree.at("/limits/registryShards").isMissingNode()).isTrue();
        assertThat(tree.at("/deployment/shared").isMissingNode()).isTrue();
        assertThat(tree.has("metrics")).isFalse();
    }
}
