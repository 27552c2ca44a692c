package photon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.core.testing.CompiledJar;

/** An adapter in a jar: what its verbs print, and that a run joins with it. */
class AdapterCommandTest {
    private static final String MINE =
            """
            package com.example;
            import photon.adapter.*;
            public class Mine implements Adapter {
                private String word = "";
                public void start(AdapterContext context) {
                    word = context.options().text("word", "none");
                }
                public void join(SourceEvent foreign, SourceEvent primary, Result result) {
                    if (foreign.field("spam").isPresent()) {
                        result.skip("spam");
                    } else {
                        result.emit(%s);
                    }
                }
            }
            """;
    private static final String GOOD =
            "new JsonLine().text(\"id\", foreign.field(\"click\").orElse(\"\")).text(\"word\", word).toBytes()";
    private static final String UNESCAPED =
            "(\"{\\\"id\\\":\\\"\" + foreign.field(\"click\").orElse(\"\") + \"\\\"}\").getBytes()";

    @TempDir Path directory;

    @BeforeEach
    void logs() throws IOException {
        Files.writeString(
                directory.resolve("clicks.jsonl"),
                """
                {"click":"c1","at":1767225601,"query":"q1"}
                {"click":"c2","at":1767225602,"query":"q1","spam":1}
                """);
        Files.writeString(
                directory.resolve("queries.jsonl"),
                """
                {"query":"q1","at":1767225600}
                {"query":"q2","at":1767225600}
                """);
    }

    private Path jar(String name, String emitted) throws IOException {
        return new CompiledJar(directory.resolve(name))
                .source("com.example.Mine", MINE.formatted(emitted))
                .manifest("Implementation-Version", "3.1")
                .write(directory.resolve(name + ".jar"));
    }

    private Path config(String adapter) throws IOException {
        return Files.writeString(
                directory.resolve("photon.yaml"),
                """
                pipeline: ads
                datacenters: [east]
                retention: unlimited
                stagger: 500ms
                primary:
                  paths: [queries.jsonl]
                  format: {type: json-lines}
                  id: {from: [query]}
                  timestamp: {field: at, unit: seconds}
                foreign:
                  paths: [clicks.jsonl]
                  format: {type: json-lines}
                  id: {from: [click]}
                  timestamp: {field: at, unit: seconds}
                  primaryId: {from: [query]}
                adapter: %s
                """
                        .formatted(adapter));
    }

    private static Captured adapter(Object... args) {
        return Captured.run(
                Stream.concat(Stream.of("adapter"), Stream.of(args).map(Object::toString))
                        .toArray(String[]::new));
    }

    @Test
    void aGoodAdapterPasses() throws Exception {
        Captured run =
                adapter(
                        "test",
                        "--jar",
                        jar("good", GOOD),
                        "--class",
                        "com.example.Mine",
                        "--options",
                        "word=a");
        assertThat(run.status()).as(run.toString()).isZero();
        assertThat(run.stderr()).isEmpty();
        assertThat(run.stdout())
                .startsWith("adapter  com.example.Mine 3.1 (")
                .containsPattern("cases    5\\d passed, 0 with a warning, 0 failed")
                .containsPattern("calls    [\\d,]+, [\\d.]+ ms each, the slowest [\\d.]+ ms");
    }

    @Test
    void aSampleIsShownPairByPair() throws Exception {
        config("{jar: good.jar, class: com.example.Mine}");
        jar("good", GOOD);
        Captured run =
                adapter(
                        "test",
                        "--config",
                        directory.resolve("photon.yaml"),
                        "--sample",
                        directory.resolve("clicks.jsonl"),
                        directory.resolve("queries.jsonl"));
        assertThat(run.status()).as(run.toString()).isZero();
        assertThat(run.stdout())
                .contains("sample   2 pairs: 1 emit, 1 skip")
                .contains("  sample line 1: emit {\"id\":\"c1\",\"word\":\"none\"}")
                .contains("  sample line 2: skip: spam");
    }

    @Test
    void aWrongAdapterFailsInWordsAndAsJson() throws Exception {
        Object[] args = {
            "test",
            "--jar",
            jar("bad", UNESCAPED),
            "--class",
            "com.example.Mine",
            "--sample",
            directory.resolve("clicks.jsonl"),
            directory.resolve("queries.jsonl")
        };
        Captured run = adapter(args);
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.stdout())
                .contains(
                        "FAILED foreign: every field with quotes and backslashes: it emits no JSON object");
        assertThat(run.stderr())
                .startsWith("photon: the adapter failed: ")
                .contains("foreign: every field with quotes and backslashes");
        Captured json = adapter(Stream.concat(Stream.of(args), Stream.of("-o", "json")).toArray());
        assertThat(json.status()).isEqualTo(1);
        JsonNode report = new ObjectMapper().readTree(json.stdout());
        assertThat(report.get("passed").asBoolean()).isFalse();
        assertThat(report.at("/adapter/class").asText()).isEqualTo("com.example.Mine");
        assertThat(report.get("cases").findValuesAsText("verdict")).contains("passed", "failed");
    }

    @Test
    void anAdapterIsDescribed() throws Exception {
        Path jar = jar("good", GOOD);
        Captured run = adapter("describe", "--jar", jar, "--class", "com.example.Mine", "--json");
        assertThat(run.status()).as(run.toString()).isZero();
        JsonNode described = new ObjectMapper().readTree(run.stdout());
        assertThat(described.get("version").asText()).isEqualTo("3.1");
        assertThat(described.get("effect").asText()).isEqualTo("safe");
        assertThat(described.get("takesUnmatched").asBoolean()).isFalse();
        assertThat(described.get("apiVersion").asText()).isEqualTo("1.3.0");
        assertThat(described.at("/jars/0/path").asText()).isEqualTo(jar.toString());
        assertThat(adapter("describe", "--jar", jar, "--class", "com.example.Mine").stdout())
                .contains(
                        "version       3.1",
                        "effect        safe",
                        described.get("fingerprint").asText());
    }

    @Test
    void whatCannotBeTriedIsNamed() throws Exception {
        Path jar = jar("good", GOOD);
        refused(
                "adapter.jar: expected a jar at /none.jar, but there is none",
                "--jar",
                "/none.jar",
                "--class",
                "a.B");
        refused("--class is missing", "--jar", jar);
        refused("--jar is missing", "--class", "a.B");
        refused("exclude each other", "--jar", jar, "--address", "127.0.0.1:1");
        refused("exclude each other", "--address", "127.0.0.1:1", "--command", "a");
        refused("Expected host:port", "--address", "here");
        refused(
                "The adapter is away: expected an answer of 127.0.0.1:1: ",
                "--address",
                "127.0.0.1:1");
        refused("adapter.command: cannot start it: ", "--command", "no-such-program");
        refused(
                "adapter.command: cannot start it: ",
                "--config",
                config("{command: [no-such-program]}"));
        Captured ends = adapter("test", "--command", "sh", "no-such-script");
        assertThat(ends.status()).as(ends.toString()).isEqualTo(2);
        assertThat(ends.stderr())
                .contains(
                        "photon: The adapter is away: expected an answer of sh no-such-script: it has ended with exit status ",
                        "its last words: ");
        refused(
                "adapter.class: there is no class a.Mine in "
                        + jar
                        + ": did you mean 'com.example.Mine'?",
                "--jar",
                jar,
                "--class",
                "a.Mine");
        refused("The adapter is merge, which is built in", "--config", config("{type: merge}"));
        Path text = Files.writeString(directory.resolve("text"), "no json\n");
        refused(
                "--sample: line 1 of " + text + " is not one JSON object",
                "--jar",
                jar,
                "--class",
                "com.example.Mine",
                "--sample",
                text,
                text);
        Path more = Files.writeString(directory.resolve("more"), "{}\n{}\n");
        refused(
                "has 1 lines and",
                "--jar",
                jar,
                "--class",
                "com.example.Mine",
                "--sample",
                text,
                more);
    }

    private static void refused(String why, Object... args) {
        Captured run = adapter(Stream.concat(Stream.of("test"), Stream.of(args)).toArray());
        assertThat(run.status()).as(run.toString()).isEqualTo(2);
        assertThat(run.stdout()).isEmpty();
        assertThat(run.stderr()).startsWith("photon: ").contains(why);
    }

    @Test
    void aRunJoinsWithItAndTakesAChangeDown() throws Exception {
        jar("good", GOOD);
        local(config("{jar: good.jar, class: com.example.Mine, options: {word: one}}"));
        assertThat(joined()).containsExactly("{\"id\":\"c1\",\"word\":\"one\"}");
        assertThat(adapters()).hasSize(1);
        Files.writeString(
                directory.resolve("clicks.jsonl"),
                Files.readString(directory.resolve("clicks.jsonl"))
                        + "{\"click\":\"c3\",\"at\":1767225603,\"query\":\"q2\"}\n");
        local(config("{jar: good.jar, class: com.example.Mine, options: {word: two}}"));
        assertThat(joined())
                .containsExactlyInAnyOrder(
                        "{\"id\":\"c1\",\"word\":\"one\"}", "{\"id\":\"c3\",\"word\":\"two\"}");
        assertThat(adapters()).hasSize(2);
    }

    @Test
    void aRunRefusesABrokenJarBeforeItMakesAnything() throws Exception {
        Files.writeString(directory.resolve("good.jar"), "no jar");
        Captured run =
                Captured.run(
                        "local",
                        "--config",
                        config("{jar: good.jar, class: com.example.Mine}").toString(),
                        "--until-idle",
                        "1s");
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.stderr())
                .contains("adapter.jar: " + directory.resolve("good.jar") + " is not a whole jar");
        assertThat(directory.resolve("photon-state")).doesNotExist();
    }

    private void local(Path config) {
        Captured run =
                Captured.run("local", "--config", config.toString(), "--until-idle", "500ms");
        assertThat(run.status()).as(run.toString()).isZero();
    }

    private List<String> joined() throws IOException {
        try (Stream<Path> files = Files.walk(directory.resolve("photon-out"))) {
            return files.filter(file -> file.toString().endsWith(".jsonl"))
                    .flatMap(AdapterCommandTest::lines)
                    .toList();
        }
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** What the output directory says of its adapters. */
    private List<String> adapters() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("photon-out/east/_work"))) {
            Path newest =
                    files.filter(file -> file.getFileName().toString().startsWith("adapter."))
                            .max(java.util.Comparator.naturalOrder())
                            .orElseThrow();
            String text = Files.readString(newest);
            return new ObjectMapper()
                            .readTree(text.substring(text.indexOf('{')))
                            .get("adapters")
                            .findValuesAsText("fingerprint")
                            .stream()
                            .distinct()
                            .toList();
        }
    }
}
