package photon.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Makes docs/configuration-reference.md of what {@link ConfigLoader} asks for and of the texts in
 * keys.md, and compares it with the page. With {@code -Dphoton.docs.write} it writes the page.
 */
class ConfigReferenceTest {
    private static final String HOW_TO_WRITE =
            "The page is not what the code says. Write it anew: mvn -pl core -am -Dtest=ConfigReferenceTest"
                    + " -Dsurefire.failIfNoSpecifiedTests=false -Dphoton.docs.write test";
    private static final Pattern TEXT = Pattern.compile("([a-z][\\w.\\[\\]]*): (.+)");

    /** Files that together make the loader ask for every key. */
    private static final List<String> SAMPLES =
            List.of(
                    """
                    pipeline: ads
                    datacenters: [east]
                    primary:
                      paths: ["*"]
                      format: {type: csv}
                      id: {from: [a]}
                      timestamp: {field: t, unit: millis}
                      input: {exclude: ["*.tmp"]}
                    foreign:
                      paths: ["*"]
                      format: {type: csv}
                      id: {from: [a]}
                      timestamp: {field: t, unit: millis}
                      primaryId: {from: [b]}
                      input: {}
                    adapter: {type: merge}
                    output: {}
                    limits: {}
                    repair: {}
                    metrics: {listen: "127.0.0.1:9100"}
                    security: {mode: tls, certificate: c, key: k, trust: t}
                    hadoop: {security: {principal: photon@REALM, keytab: photon.keytab}}
                    deployment:
                      datacenter: east
                      registry: [{name: r0, datacenter: east, raft: "h:1", service: "h:2"}]
                      eventStore: "h:3"
                      dispatcher: "h:4"
                      joiners: [{name: joiner-0, address: "h:5"}]
                      clock: {}
                    """,
                    """
                    pipeline: ads
                    datacenters: [east]
                    primary:
                      paths: ["*"]
                      format: {type: csv, header: false, columns: [a, t], comment: "#"}
                      id: {from: [a]}
                      timestamp: {field: t, pattern: yyyy}
                    foreign:
                      paths: ["*"]
                      format: {type: json-lines}
                      id: {server: a, process: b, timestamp: c}
                      primaryId: {server: a, process: b, timestamp: c}
                    adapter: {jar: a.jar, class: com.example.Mine}
                    security: {mode: plaintext}
                    output: {format: parquet, compression: gzip, fields: [{name: c, type: string, from: d}], named: [{name: e, format: avro, compression: none, fields: [{name: c, type: string, from: d}]}]}
                    deployment:
                      datacenter: east
                      shared: /shared
                      partitions: 8
                      registry: [{name: r0, datacenter: east, raft: "h:1", raftListen: "h:6", service: "h:2"}]
                      eventStore: "h:3"
                      dispatcher: "h:4"
                      joiners: [{name: joiner-0, address: "h:5"}]
                      registryMemoryBytes: 512MiB
                      clock: {source: configured, bound: 50ms}
                    """,
                    """
                    pipeline: ads
                    datacenters: [east]
                    primary:
                      paths: ["*"]
                      format: {type: framed}
                      id: native
                    foreign:
                      paths: ["*"]
                      format: {type: framed}
                      id: native
                      primaryId: native
                    adapter: {address: "h:7"}
                    security: {mode: plaintext}
                    """,
                    """
                    pipeline: ads
                    datacenters: [east]
                    primary:
                      paths: ["*"]
                      format: {type: framed}
                      id: native
                    foreign:
                      paths: ["*"]
                      format: {type: framed}
                      id: native
                      primaryId: native
                    adapter: {command: [a]}
                    """);

    /** A key as the page lists it. */
    private record Row(ConfigKey key, boolean required) {
        String line(String name, String text) {
            String values = valuesOf(key.values());
            String otherwise =
                    required
                            ? "required"
                            : key.otherwise().map(value -> "`" + value + "`").orElse("-");
            return "| `%s` | %s | %s | %s |".formatted(name, values, otherwise, text);
        }
    }

    /** What a message expects, without the examples that the top of the page gives. */
    private static String valuesOf(String expected) {
        if (expected.equals(DurationText.EXPECTED)) {
            return "duration";
        }
        return expected.replaceFirst("^an? ", "")
                .replace("one of [east]", "one of `datacenters`")
                .replaceFirst("^size above 0.*", "size")
                .replaceAll("(?<=\\d)(?=(\\d{3})+$)", ",");
    }

    @Test
    void thePageIsWhatTheCodeSays() throws IOException {
        Path page = root().resolve("docs/configuration-reference.md");
        String made = page(rows());
        if (System.getProperty("photon.docs.write") != null) {
            Files.writeString(page, made);
        }
        assertThat(Files.exists(page) ? Files.readString(page) : "")
                .as(HOW_TO_WRITE)
                .isEqualTo(made);
    }

    private static Path root() {
        Path at = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(at.resolve("docs/decisions"))) {
            at = Objects.requireNonNull(at.getParent(), "no checkout above the working directory");
        }
        return at;
    }

    private static String page(Map<String, Row> rows) throws IOException {
        Map<String, Row> left = new LinkedHashMap<>(rows);
        List<String> unknown = new ArrayList<>();
        StringBuilder page = new StringBuilder();
        boolean inTable = false;
        for (String line : texts()) {
            Matcher text = TEXT.matcher(line);
            if (!text.matches()) {
                inTable = false;
                page.append(line).append('\n');
                continue;
            }
            if (!inTable) {
                page.append("| key | value | default | meaning |\n|---|---|---|---|\n");
                inTable = true;
            }
            Row row = left.remove(text.group(1));
            if (row == null) {
                unknown.add(text.group(1));
            } else {
                page.append(row.line(text.group(1), text.group(2))).append('\n');
            }
        }
        assertThat(left.keySet()).as("keys without a text in keys.md").isEmpty();
        assertThat(unknown).as("texts in keys.md of keys that nothing asks for").isEmpty();
        return page.toString();
    }

    private static List<String> texts() throws IOException {
        try (InputStream in = ConfigReferenceTest.class.getResourceAsStream("keys.md")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
    }

    private static Map<String, Row> rows() throws IOException {
        Map<String, Row> rows = new LinkedHashMap<>();
        for (String sample : SAMPLES) {
            ConfigLoader.Reading reading = ConfigLoader.reading(tree(sample));
            assertThat(reading.problems()).as("the sample is right:\n%s", sample).isEmpty();
            Map<String, Boolean> lookedFor = new LinkedHashMap<>();
            for (ConfigKey key : reading.keys()) {
                if (key.isOnlyLookedFor()) {
                    lookedFor.putIfAbsent(key.path(), true);
                    continue;
                }
                boolean required = isRequired(sample, key.path());
                boolean optional = lookedFor.containsKey(key.path()) && !required;
                rows.putIfAbsent(
                        listed(key.path()),
                        new Row(
                                optional
                                        ? new ConfigKey(key.path(), key.values(), Optional.empty())
                                        : key,
                                required));
            }
        }
        return rows;
    }

    /** Both streams have the same keys, and so have all elements of a list, and both ids. */
    private static String listed(String path) {
        return path.replaceFirst("^(primary|foreign)\\.", "")
                .replaceFirst("^primaryId\\.", "id.")
                .replaceAll("\\[\\d+]", "[]");
    }

    /** What the loader says of the file without the key. */
    private static boolean isRequired(String sample, String path) throws IOException {
        JsonNode tree = tree(sample);
        remove(tree, path);
        return ConfigLoader.reading(tree).problems().stream()
                .anyMatch(problem -> problem.startsWith(path + " is missing"));
    }

    private static void remove(JsonNode tree, String path) {
        @Nullable JsonNode at = tree;
        String[] parts = path.replaceAll("\\[(\\d+)]", ".$1").split("\\.");
        for (int i = 0; i < parts.length - 1 && at != null; i++) {
            at =
                    at instanceof ArrayNode list
                            ? list.get(Integer.parseInt(parts[i]))
                            : at.get(parts[i]);
        }
        if (at instanceof ObjectNode mapping) {
            mapping.remove(parts[parts.length - 1]);
        }
    }

    private static JsonNode tree(String yaml) {
        try {
            return new ObjectMapper(new YAMLFactory()).readTree(yaml);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
