package photon.tools.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import photon.cli.Repository;

/**
 * The alerting rules ask for metrics that are there, and each has its section, its test and its
 * link. What fires when is tested by {@code deploy/monitoring/test.sh}.
 */
class AlertsTest {
    private static final Path PROMETHEUS =
            Repository.root().resolve("deploy/monitoring/prometheus");
    private static final Path PAGE = Repository.root().resolve("docs/alerts.md");
    private static final Pattern SECTION = Pattern.compile("## (Photon\\w+)");
    private static final Pattern FIRES = Pattern.compile("alertname=\"(Photon\\w+)\"");
    private static final Pattern LINK = Pattern.compile("alerts\\.md#(photon\\w+)\\)");

    private static final List<String> QUESTIONS =
            List.of(
                    "\n- **For your money:** ",
                    "\n- **Look:** ",
                    "\n- **Do:** ",
                    "\n- **Do not** ",
                    "\n- **It ends** ");

    private static Map<String, JsonNode> rules() throws IOException {
        Map<String, JsonNode> rules = new TreeMap<>();
        for (JsonNode group : yaml("photon-alerts.yml").path("groups")) {
            for (JsonNode rule : group.path("rules")) {
                String name = rule.path("alert").asText();
                assertThat(rules.put(name, rule)).as("one rule called %s", name).isNull();
            }
        }
        assertThat(rules).hasSizeGreaterThan(30);
        return rules;
    }

    private static JsonNode yaml(String name) throws IOException {
        return new YAMLMapper().readTree(PROMETHEUS.resolve(name).toFile());
    }

    private static Set<String> found(Pattern pattern, Path in) throws IOException {
        Set<String> found = new TreeSet<>();
        Matcher matcher = pattern.matcher(Files.readString(in));
        while (matcher.find()) {
            found.add(matcher.group(1));
        }
        return found;
    }

    @Test
    void rulesAskForMetricsThatAreThere() throws Exception {
        ExposedMetrics exposed = new ExposedMetrics();
        for (Map.Entry<String, JsonNode> rule : rules().entrySet()) {
            String query = rule.getValue().path("expr").asText();
            assertThat(PromQuery.metrics(query)).as(rule.getKey()).isNotEmpty();
            exposed.check(rule.getKey(), query);
        }
    }

    @Test
    void aMetricOrALabelThatIsNotThereIsNamed() throws Exception {
        ExposedMetrics exposed = new ExposedMetrics();
        assertThatThrownBy(() -> exposed.check("a rule", "rate(photon_joiner_joint_total[5m]) > 0"))
                .hasMessageContaining("photon_joiner_joint_total");
        assertThatThrownBy(() -> exposed.check("a rule", "photon_check_failed_seconds{chek=\"a\"}"))
                .hasMessageContaining("chek");
        assertThat(PromQuery.metrics("sum by (a) (x{b=\"c{\", d=~\"e\"}[5m]) / on (f) y > 1e9"))
                .isEqualTo(Map.of("x", Set.of("b", "d"), "y", Set.of()));
    }

    @Test
    void eachRuleSaysHowUrgentItIsWhatItMeasuresAndWhereToRead() throws Exception {
        for (Map.Entry<String, JsonNode> rule : rules().entrySet()) {
            JsonNode annotations = rule.getValue().path("annotations");
            assertThat(rule.getValue().path("labels").path("severity").asText())
                    .as(rule.getKey())
                    .isIn("page", "ticket");
            assertThat(rule.getValue().path("for").asText())
                    .as(rule.getKey())
                    .matches("[0-9]+[mh]");
            assertThat(annotations.path("summary").asText()).as(rule.getKey()).endsWith(".");
            assertThat(annotations.path("description").asText())
                    .as(rule.getKey())
                    .contains("$value")
                    .endsWith(".");
            assertThat(annotations.path("runbook_url").asText())
                    .isEqualTo("docs/alerts.md#" + rule.getKey().toLowerCase(Locale.ROOT));
        }
    }

    /** The comment above a rule justifies how long it waits. */
    @Test
    void eachRuleHasAReasonForItsPatience() throws Exception {
        List<String> lines = Files.readAllLines(PROMETHEUS.resolve("photon-alerts.yml"));
        List<String> without = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).contains("- alert:") && !lines.get(i - 1).strip().startsWith("# ")) {
                without.add(lines.get(i).strip());
            }
        }
        assertThat(without).isEmpty();
    }

    @Test
    void eachAlertHasASectionAndEachSectionAnAlert() throws Exception {
        assertThat(found(SECTION, PAGE)).isEqualTo(rules().keySet());
        for (String section : Files.readString(PAGE).split("\n## ", -1)) {
            if (section.startsWith("Photon")) {
                assertThat(section).contains(QUESTIONS);
            }
        }
    }

    @Test
    void eachAlertHasATestAndAMetricThatLeadsToIt() throws Exception {
        Set<String> tested = new TreeSet<>();
        boolean quiet = false;
        for (JsonNode test : yaml("photon-alerts-test.yml").path("tests")) {
            Set<String> fires = new TreeSet<>();
            boolean silent = false;
            for (JsonNode moment : test.path("promql_expr_test")) {
                silent |= moment.path("exp_samples").isEmpty();
                for (JsonNode sample : moment.path("exp_samples")) {
                    Matcher name = FIRES.matcher(sample.path("labels").asText());
                    assertThat(name.find()).as(sample.toString()).isTrue();
                    fires.add(name.group(1));
                }
            }
            assertThat(silent).as("%s is silent at some moment", test.path("name")).isTrue();
            quiet |= fires.isEmpty();
            tested.addAll(fires);
        }
        assertThat(tested).isEqualTo(rules().keySet());
        assertThat(quiet).as("a healthy deployment").isTrue();
        Set<String> linked = new TreeSet<>();
        rules().keySet().forEach(name -> linked.add(name.toLowerCase(Locale.ROOT)));
        assertThat(found(LINK, Repository.root().resolve("docs/metrics.md"))).isEqualTo(linked);
    }

    /** Otherwise silence of the healthy deployment would say nothing about a rule. */
    @Test
    void theHealthyDeploymentReportsWhatRulesAskFor() throws Exception {
        Set<String> asked = new TreeSet<>();
        rules().values()
                .forEach(
                        rule ->
                                asked.addAll(
                                        PromQuery.metrics(rule.path("expr").asText()).keySet()));
        Set<String> reported = new TreeSet<>();
        for (JsonNode test : yaml("photon-alerts-test.yml").path("tests")) {
            if (test.path("name").asText().equals("a healthy deployment")) {
                test.path("input_series")
                        .forEach(
                                series ->
                                        reported.addAll(
                                                PromQuery.metrics(series.path("series").asText())
                                                        .keySet()));
            }
        }
        assertThat(reported).containsAll(asked);
    }

    @Test
    void thePageSaysHowManyRulesThereAre() throws Exception {
        assertThat(Files.readString(Repository.root().resolve("docs/monitoring.md")))
                .contains("lists %d of them".formatted(rules().size()));
    }
}
