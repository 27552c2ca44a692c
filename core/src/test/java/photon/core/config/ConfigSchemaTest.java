package photon.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Makes docs/photon.schema.json of what {@link ConfigLoader} asks for, compares it with the file,
 * and sees what it takes. With {@code -Dphoton.docs.write} it writes the file.
 */
class ConfigSchemaTest {
    private static final String HOW_TO_WRITE =
            "The schema is not what the code says. Write it anew: mvn -pl core -am -Dtest=ConfigSchemaTest"
                    + " -Dsurefire.failIfNoSpecifiedTests=false -Dphoton.docs.write test";

    /** Has every part that the lines of the test of broken ones change. */
    private static final String RIGHT =
            """
            pipeline: ads
            datacenters: [east]
            retention: 7d
            primary:
              paths: ["a*"]
              format: {type: csv, header: true}
              id: {from: [a]}
              timestamp: {field: t, unit: millis}
              where: {kind: [a, 3, true], other: b}
            foreign:
              paths: b
              format: {type: framed}
              id: native
              primaryId: native
            adapter: {jar: [a.jar, b.jar], class: com.example.Mine, options: {a: 1}, timeout: 5s}
            output: {format: avro, fields: [{name: c, type: string}]}
            limits: {cacheBytes: 64MiB, retriesMax: 7}
            repair: {fenceAfter: off}
            hadoop: {dfs.replication: 3}
            security: {mode: plaintext}
            deployment:
              datacenter: east
              registry: [{name: r0, datacenter: east, raft: "h:1", service: "h:2"}]
              eventStore: "h:3"
              dispatcher: "h:4"
              joiners: [{name: joiner-0, address: "h:5"}]
            """;

    private static JsonSchema schema;

    @BeforeAll
    static void read() throws IOException {
        schema =
                JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V7)
                        .getSchema(ConfigSchema.text());
    }

    private static List<String> problems(JsonNode tree) {
        return schema.validate(tree).stream().map(Object::toString).toList();
    }

    private static List<String> problems(String yaml) {
        return problems(DocumentedKeys.tree(yaml));
    }

    @Test
    void theFileIsWhatTheCodeSays() throws IOException {
        Path file = DocumentedKeys.root().resolve("docs/photon.schema.json");
        String made = ConfigSchema.text();
        if (System.getProperty("photon.docs.write") != null) {
            Files.writeString(file, made);
        }
        assertThat(Files.exists(file) ? Files.readString(file) : "")
                .as(HOW_TO_WRITE)
                .isEqualTo(made);
    }

    static Stream<Path> examples() throws IOException {
        List<Path> found;
        try (Stream<Path> all = Files.walk(DocumentedKeys.root().resolve("docs/examples"))) {
            found = all.filter(file -> file.toString().endsWith(".yaml")).toList();
        }
        assertThat(found).hasSizeGreaterThan(1);
        return found.stream();
    }

    @ParameterizedTest
    @MethodSource("examples")
    void everyExampleFits(Path example) throws IOException {
        assertThat(problems(Files.readString(example))).isEmpty();
    }

    @Test
    void whatTheLoaderTakesFits() {
        assertThat(problems(RIGHT)).isEmpty();
        assertThat(ConfigLoader.reading(DocumentedKeys.tree(RIGHT)).problems()).isEmpty();
        for (DocumentedKeys.Sample sample : DocumentedKeys.samples()) {
            assertThat(problems(sample.tree())).as("%s", sample.tree()).isEmpty();
        }
    }

    /** Each is refused by the loader, too. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "pipeline: ads | piepline: ads",
                "pipeline: ads | pipeline: Ads",
                "retention: 7d | retention: 7",
                "retention: 7d | retention: never",
                "datacenters: [east] | datacenters: []",
                "type: csv | type: xml",
                "header: true | header: yes please",
                "format: {type: framed} | formats: {type: framed}",
                "  primaryId: native | ",
                "field: t, unit: millis | unit: millis",
                "unit: millis | unit: minutes",
                "paths: b | paths: {b: c}",
                "class: com.example.Mine | klass: com.example.Mine",
                "timeout: 5s | timeout: 5 seconds",
                "type: string | type: text",
                "name: c, type: string | type: string",
                "cacheBytes: 64MiB | cacheBytes: 64MB",
                "retriesMax: 7 | retriesMax: 0",
                "retriesMax: 7 | retriesMax: seven",
                "fenceAfter: off | fenceAfter: never",
                "mode: plaintext | mode: none",
                "service: \"h:2\" | service: h",
                "name: joiner-0, | name: Joiner 0,",
                "  dispatcher: \"h:4\" | ",
                "eventStore: \"h:3\" | eventStores: [{address: \"h:3\"}]",
                "limits: {cacheBytes: 64MiB, retriesMax: 7} | limits: 7"
            })
    void whatIsBrokenDoesNotFit(String right, String wrong) {
        assertThat(RIGHT).contains(right);
        String broken = RIGHT.replace(right, wrong == null ? "" : wrong);
        assertThat(problems(broken)).as(broken).isNotEmpty();
        assertThat(ConfigLoader.reading(DocumentedKeys.tree(broken)).problems()).isNotEmpty();
    }

    @Test
    void aStreamHasItsOwnKeysAlone() {
        assertThat(problems(RIGHT.replace("primary:\n", "primary:\n  primaryId: {from: [a]}\n")))
                .isNotEmpty();
    }
}
