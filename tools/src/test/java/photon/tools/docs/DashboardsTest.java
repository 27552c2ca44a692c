package photon.tools.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import photon.cli.Repository;

/**
 * The dashboards are documents that Grafana 10 reads, as far as a test without Grafana can tell,
 * and ask for metrics that are there.
 */
class DashboardsTest {
    private static final Path GRAFANA = Repository.root().resolve("deploy/monitoring/grafana");

    /** Of Grafana 10.0; a newer one migrates it. */
    private static final int SCHEMA_MIN = 38;

    private static final int COLUMNS = 24;
    private static final int PANELS_MAX = 12;
    private static final Pattern VALUES = Pattern.compile("label_values\\((\\w+), (\\w+)\\)");
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{?([a-z]+)\\}?");

    private static Map<String, JsonNode> dashboards() throws IOException {
        Map<String, JsonNode> dashboards = new TreeMap<>();
        try (Stream<Path> files = Files.list(GRAFANA)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".json")).toList()) {
                dashboards.put(
                        file.getFileName().toString(), new ObjectMapper().readTree(file.toFile()));
            }
        }
        assertThat(dashboards.keySet())
                .containsExactly(
                        "photon-datacenter.json",
                        "photon-overview.json",
                        "photon-pipeline.json",
                        "photon-registry.json");
        return dashboards;
    }

    @Test
    void eachHasAnIdentityAndPanelsThatAnswerAQuestion() throws Exception {
        for (Map.Entry<String, JsonNode> entry : dashboards().entrySet()) {
            JsonNode dashboard = entry.getValue();
            assertThat(dashboard.path("uid").asText() + ".json").isEqualTo(entry.getKey());
            assertThat(dashboard.path("schemaVersion").asInt()).isGreaterThanOrEqualTo(SCHEMA_MIN);
            assertThat(dashboard.path("id").isNull()).as("an id is Grafana's to give").isTrue();
            assertThat(dashboard.path("title").asText()).startsWith("Photon ");
            assertThat(dashboard.path("panels").size()).isBetween(1, PANELS_MAX);
            Set<Integer> ids = new HashSet<>();
            for (JsonNode panel : dashboard.path("panels")) {
                String where = entry.getKey() + ": " + panel.path("title").asText();
                assertThat(ids.add(panel.path("id").asInt())).as(where).isTrue();
                assertThat(panel.path("description").asText()).as(where).contains("?");
                assertThat(panel.path("type").asText()).isIn("timeseries", "stat", "table");
                assertThat(panel.path("targets").isEmpty()).as(where).isFalse();
            }
        }
    }

    @Test
    void panelsDoNotOverlap() throws Exception {
        for (JsonNode dashboard : dashboards().values()) {
            Set<List<Integer>> taken = new HashSet<>();
            for (JsonNode panel : dashboard.path("panels")) {
                JsonNode at = panel.path("gridPos");
                assertThat(at.path("x").asInt() + at.path("w").asInt())
                        .isLessThanOrEqualTo(COLUMNS);
                for (int x = 0; x < at.path("w").asInt(); x++) {
                    for (int y = 0; y < at.path("h").asInt(); y++) {
                        assertThat(
                                        taken.add(
                                                List.of(
                                                        at.path("x").asInt() + x,
                                                        at.path("y").asInt() + y)))
                                .as(panel.path("title").asText())
                                .isTrue();
                    }
                }
            }
        }
    }

    @Test
    void queriesAskForMetricsAndVariablesThatAreThere() throws Exception {
        ExposedMetrics exposed = new ExposedMetrics();
        for (Map.Entry<String, JsonNode> entry : dashboards().entrySet()) {
            Set<String> variables = new HashSet<>();
            for (JsonNode variable : entry.getValue().path("templating").path("list")) {
                variables.add(variable.path("name").asText());
                if (variable.path("type").asText().equals("query")) {
                    Matcher values = VALUES.matcher(variable.path("definition").asText());
                    assertThat(values.matches()).as(entry.getKey()).isTrue();
                    exposed.check(
                            entry.getKey(),
                            "%s{%s=\"\"}".formatted(values.group(1), values.group(2)));
                }
            }
            for (JsonNode panel : entry.getValue().path("panels")) {
                Set<String> letters = new HashSet<>();
                for (JsonNode target : panel.path("targets")) {
                    String query = target.path("expr").asText();
                    exposed.check(entry.getKey() + ": " + panel.path("title").asText(), query);
                    assertThat(letters.add(target.path("refId").asText())).isTrue();
                    Matcher used =
                            VARIABLE.matcher(
                                    query + target.path("datasource").path("uid").asText());
                    while (used.find()) {
                        assertThat(variables).as(query).contains(used.group(1));
                    }
                }
            }
        }
    }

    @Test
    void provisioningNamesADataSourceAndTheDirectoryOfTheDashboards() throws Exception {
        JsonNode source =
                new YAMLMapper()
                        .readTree(GRAFANA.resolve("provisioning/datasources/photon.yml").toFile())
                        .path("datasources")
                        .path(0);
        assertThat(source.path("type").asText()).isEqualTo("prometheus");
        assertThat(source.path("url").asText()).isEqualTo("${PROMETHEUS_URL}");
        JsonNode provider =
                new YAMLMapper()
                        .readTree(GRAFANA.resolve("provisioning/dashboards/photon.yml").toFile())
                        .path("providers")
                        .path(0);
        assertThat(provider.path("options").path("path").asText())
                .isEqualTo("${PHOTON_DASHBOARDS}");
        assertThat(Files.readString(Repository.root().resolve("docs/monitoring.md")))
                .contains("PROMETHEUS_URL=", "PHOTON_DASHBOARDS=");
    }
}
