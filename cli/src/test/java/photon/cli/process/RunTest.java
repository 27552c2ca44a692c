package photon.cli.process;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.cli.Captured;
import photon.cli.Disorder;
import photon.cli.JoinedPairs;
import photon.cli.LocalProcess;
import photon.cli.Repository;
import photon.core.rpc.LoopbackPorts;
import photon.core.security.SecurityConfig;
import photon.core.security.TestCertificates;
import photon.core.testing.Await;
import photon.server.trace.FakeCollector;

/**
 * Every part a process of its own: three replicas of the registry and two datacenters of five. They
 * talk to each other by TLS, with a certificate per datacenter.
 */
@Tag("crash")
class RunTest {
    private static final Duration SERVES_WITHIN = Duration.ofMinutes(5);
    private static final Duration JOINED_WITHIN = Duration.ofMinutes(5);
    private static final List<String> DATACENTERS = List.of("east", "west");

    @TempDir Path directory;
    private final Map<String, LocalProcess> running = new LinkedHashMap<>();

    private TestCertificates authority;

    @BeforeEach
    void makeAuthority() {
        authority = new TestCertificates(directory.resolve("certs"));
    }

    private @Nullable FakeCollector collector;

    @AfterEach
    void killWhatIsLeft() {
        running.values().forEach(LocalProcess::close);
        if (collector != null) {
            collector.close();
        }
    }

    @Test
    void partsThatAreProcessesJoinExactlyWhileJoinersAreKilled() throws Exception {
        List<String> lines = Disorder.lines(Repository.files("jobs", ".csv.gz"));
        int half = lines.size() / 2;
        write("events-0.csv", lines.subList(0, half));
        List<Integer> ports = LoopbackPorts.choose(6 + 4 * DATACENTERS.size(), new Random());
        collector = FakeCollector.start();
        for (int i = 0; i < DATACENTERS.size(); i++) {
            config(DATACENTERS.get(i), ports, 6 + 4 * i);
        }
        for (int i = 0; i < 3; i++) {
            start("registry", DATACENTERS.get(i % 2), "r" + i);
        }
        for (String datacenter : DATACENTERS) {
            for (String role : List.of("eventstore", "joiner", "dispatcher", "verifier")) {
                start(role, datacenter, "");
            }
            start("joiner", datacenter, "joiner-1");
        }
        for (String part : running.keySet()) {
            awaitServing(part);
        }
        awaitPublished(100);

        // One by its default name, one by its own: each datacenter has the other one left.
        part("east joiner").kill();
        part("west joiner-1").kill();
        write("events-1.csv", lines.subList(half, lines.size()));
        start("joiner", "east", "");
        start("joiner", "west", "joiner-1");
        awaitServing("east joiner");
        awaitServing("west joiner-1");
        JsonNode answer = Repository.answer("jobs");
        awaitPublished(answer.get("joined").asInt());
        Files.writeString(directory.resolve("events-2.csv"), "half a line");
        awaitStatus("dispatcher", "east");
        awaitStatus("eventstore", "west");

        List<String> parts = new ArrayList<>(running.keySet());
        for (int i = parts.size() - 1; i >= 0; i--) {
            LocalProcess part = part(parts.get(i));
            part.terminate();
            assertThat(part.await()).as(parts.get(i) + ": " + part.messages()).isZero();
        }
        JoinedPairs pairs = JoinedPairs.read(directory.resolve("out"));
        assertThat(pairs.count()).isEqualTo(answer.get("joined").asInt());
        assertThat(pairs.sha256()).isEqualTo(answer.get("sha256").asText());
        checkTraces();
    }

    /** Of an event, both datacenters tell, and a joiner within a dispatcher's attempt. */
    private void checkTraces() {
        Map<ByteString, List<FakeCollector.Received>> traces =
                requireNonNull(collector).spans().stream()
                        .collect(Collectors.groupingBy(s -> s.span().getTraceId()));
        assertThat(traces.values())
                .anySatisfy(
                        trace ->
                                assertThat(trace)
                                        .extracting(s -> s.attribute("photon.datacenter"))
                                        .contains("east", "west"))
                .anySatisfy(
                        trace -> {
                            Optional<FakeCollector.Received> join =
                                    trace.stream()
                                            .filter(s -> s.span().getName().equals("join"))
                                            .filter(
                                                    s ->
                                                            s.attribute("photon.outcome")
                                                                    .equals("joined"))
                                            .findFirst();
                            // Of a joiner that was killed the span may be lost.
                            assertThat(join).isPresent();
                            assertThat(trace)
                                    .filteredOn(s -> s.span().getName().equals("dispatch"))
                                    .extracting(s -> s.span().getSpanId())
                                    .contains(join.get().span().getParentSpanId());
                        });
    }

    private void start(String role, String datacenter, String name) throws IOException {
        List<String> args =
                new ArrayList<>(
                        List.of(
                                "run",
                                role,
                                "--config",
                                directory.resolve(datacenter + ".yaml").toString()));
        if (!name.isEmpty()) {
            args.addAll(List.of("--name", name));
        }
        String part = datacenter + " " + (name.isEmpty() ? role : name);
        running.put(part, LocalProcess.start(directory, "", args.toArray(String[]::new)));
    }

    private LocalProcess part(String name) {
        return requireNonNull(running.get(name), name);
    }

    private void awaitServing(String part) throws Exception {
        LocalProcess process = part(part);
        Await.until(
                SERVES_WITHIN,
                part + " to serve",
                process::messagesOrTrouble,
                () -> {
                    assertThat(process.isAlive()).as(part + ": " + process.messages()).isTrue();
                    return process.stdout().contains("serves on");
                });
    }

    private void awaitPublished(int count) throws Exception {
        Await.until(
                JOINED_WITHIN,
                count + " joined events",
                this::state,
                () -> JoinedPairs.read(directory.resolve("out")).count() >= count);
    }

    /** It has read two logs to their end, and says why not the third. */
    private void awaitStatus(String part, String datacenter) throws Exception {
        String[] command = {
            part, "status", "--config", directory.resolve(datacenter + ".yaml").toString()
        };
        Await.until(
                JOINED_WITHIN,
                part + " of " + datacenter + " to say what it has read",
                () -> Captured.run(command).toString(),
                () -> {
                    String told = Captured.run(command).stdout();
                    return told.contains("3 " + (part.equals("dispatcher") ? "foreign" : "primary"))
                            && told.contains("events-2.csv, at offset 0, 0 bytes unread")
                            && told.contains("11 bytes at its end are no whole record yet")
                            && !told.contains("events-1.csv");
                });
        Captured all =
                Captured.run(
                        part,
                        "status",
                        "--config",
                        directory.resolve(datacenter + ".yaml").toString(),
                        "--all",
                        "-o",
                        "json");
        assertThat(all.status()).isZero();
        JsonNode told = new ObjectMapper().readTree(all.stdout());
        assertThat(told.get("files").asInt()).isEqualTo(3);
        assertThat(told.get("eventsRead").asLong()).isPositive();
        assertThat(told.get("listed").findValuesAsText("state"))
                .containsExactly("incomplete", "read", "read");
        assertThat(told.get("listed").get(2).get("offset").asLong())
                .isEqualTo(Files.size(Path.of(told.get("listed").get(2).get("path").asText())));
    }

    private String state() {
        StringBuilder state = new StringBuilder();
        try {
            state.append(JoinedPairs.read(directory.resolve("out")).count()).append(" published");
        } catch (IOException e) {
            state.append(e);
        }
        running.forEach(
                (part, process) -> state.append("\n" + part + ": " + process.messagesOrTrouble()));
        return state.toString();
    }

    private void config(String datacenter, List<Integer> ports, int own) throws IOException {
        SecurityConfig.Files files =
                authority.issue(datacenter, "photon://" + datacenter + "/daemon/all");
        StringBuilder text =
                new StringBuilder(LocalTest.JOBS.formatted("events-*.csv", "events-*.csv", ""));
        text.append(
                "security: {mode: tls, certificate: %s, key: %s, trust: %s}\n"
                        .formatted(files.certificate(), files.key(), files.trust()));
        text.append(
                "tracing: {endpoint: \"%s\", sampleOneIn: 10}\n"
                        .formatted(requireNonNull(collector).endpoint()));
        text.append("deployment:\n  datacenter: " + datacenter + "\n");
        // Datacenters share nothing but the output's parent, for the test's sake.
        text.append("  state: state-" + datacenter + "\n  output: out\n  registry:\n");
        for (int i = 0; i < 3; i++) {
            text.append(
                    "    - {name: r%d, datacenter: %s, raft: \"127.0.0.1:%d\", service: \"127.0.0.1:%d\"}\n"
                            .formatted(
                                    i,
                                    DATACENTERS.get(i % 2),
                                    ports.get(2 * i),
                                    ports.get(2 * i + 1)));
        }
        text.append("  eventStore: 127.0.0.1:" + ports.get(own) + "\n");
        text.append("  dispatcher: 127.0.0.1:" + ports.get(own + 1) + "\n");
        text.append("  joiners:\n");
        for (int i = 0; i < 2; i++) {
            text.append(
                    "    - {name: joiner-%d, address: \"127.0.0.1:%d\"}\n"
                            .formatted(i, ports.get(own + 2 + i)));
        }
        Files.writeString(directory.resolve(datacenter + ".yaml"), text);
    }

    private void write(String name, List<String> lines) throws IOException {
        Path aside = directory.resolve("." + name);
        Files.writeString(aside, String.join("\n", lines) + "\n");
        Files.move(aside, directory.resolve(name));
    }
}
