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
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What {@link ConfigLoader} asks for, and the texts about it in keys.md: the source of the
 * reference and of the schema.
 */
final class DocumentedKeys {
    /** A line of keys.md about a key. */
    static final Pattern TEXT = Pattern.compile("([a-z][\\w.\\[\\]]*): (.+)");

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
                    tracing: {endpoint: "https://collector.example:4318", trust: t}
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
                    unmatched: {after: 1h, upgrade: true}
                    security: {mode: plaintext}
                    output: {format: parquet, compression: gzip, fields: [{name: c, type: string, from: d}], named: [{name: e, format: avro, compression: none, fields: [{name: c, type: string, from: d}]}, {name: f}]}
                    deployment:
                      datacenter: east
                      shared: /shared
                      partitions: 8
                      registry: [{name: r0, datacenter: east, raft: "h:1", raftListen: "h:6", service: "h:2"}]
                      eventStores: [{name: a, address: "h:3"}, {name: b, address: "h:8"}]
                      eventStoreCopies: 1
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

    private DocumentedKeys() {}

    /** A key of a sample, and whether that sample needs it. */
    record Asked(ConfigKey key, boolean required) {}

    /** What one sample has. */
    record Sample(JsonNode tree, List<Asked> asked) {}

    static Path root() {
        Path at = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(at.resolve("docs/decisions"))) {
            at = Objects.requireNonNull(at.getParent(), "no checkout above the working directory");
        }
        return at;
    }

    /** The lines of keys.md. */
    static List<String> texts() throws IOException {
        try (InputStream in = DocumentedKeys.class.getResourceAsStream("keys.md")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
    }

    /** All samples, with each key in the order in which the loader asks for it. */
    static List<Sample> samples() {
        List<Sample> samples = new ArrayList<>();
        for (String sample : SAMPLES) {
            ConfigLoader.Reading reading = ConfigLoader.reading(tree(sample));
            assertThat(reading.problems()).as("the sample is right:\n%s", sample).isEmpty();
            List<Asked> asked = new ArrayList<>();
            Map<String, Boolean> lookedFor = new LinkedHashMap<>();
            for (ConfigKey key : reading.keys()) {
                if (key.kind() == ConfigKey.Kind.ANY) {
                    lookedFor.putIfAbsent(key.path(), true);
                    continue;
                }
                boolean required = isRequired(sample, key.path());
                boolean optional = lookedFor.containsKey(key.path()) && !required;
                asked.add(
                        new Asked(
                                optional
                                        ? new ConfigKey(
                                                key.path(),
                                                key.kind(),
                                                key.values(),
                                                Optional.empty())
                                        : key,
                                required));
            }
            samples.add(new Sample(tree(sample), asked));
        }
        return samples;
    }

    /** Both streams have the same keys, and so have all elements of a list, and both ids. */
    static String listed(String path) {
        return path.replaceFirst("^(primary|foreign)\\.", "")
                .replaceFirst("^primaryId\\.", "id.")
                .replaceAll("\\[\\d+]", "[]");
    }

    /** What the loader says of the file without the key. */
    private static boolean isRequired(String sample, String path) {
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

    static JsonNode tree(String yaml) {
        try {
            return new ObjectMapper(new YAMLFactory()).readTree(yaml);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
