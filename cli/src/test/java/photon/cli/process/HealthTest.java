package photon.cli.process;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.cli.Disorder;
import photon.cli.JoinedPairs;
import photon.cli.LocalProcess;
import photon.cli.Repository;
import photon.core.rpc.LoopbackPorts;
import photon.core.testing.Await;

/** A registry goes away from daemons that are processes, and comes back: they say so. */
@Tag("crash")
class HealthTest {
    private static final Duration LONG = Duration.ofMinutes(3);
    private static final List<String> REPLICAS = List.of("r0", "r1", "r2");
    private static final List<String> CLIENTS = List.of("joiner", "dispatcher", "verifier");

    @TempDir Path directory;
    private final Map<String, LocalProcess> running = new LinkedHashMap<>();
    private final Map<String, String> metrics = new LinkedHashMap<>();
    private final HttpClient http = HttpClient.newHttpClient();

    @AfterEach
    void killWhatIsLeft() {
        running.values().forEach(LocalProcess::close);
    }

    private record Answer(int status, String body) {}

    private Answer ask(String part, String path) throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(
                                URI.create("http://" + requireNonNull(metrics.get(part)) + path))
                        .timeout(Duration.ofSeconds(20))
                        .build();
        try {
            HttpResponse<String> response =
                    http.send(request, HttpResponse.BodyHandlers.ofString());
            return new Answer(response.statusCode(), response.body());
        } catch (IOException e) {
            return new Answer(0, e.toString());
        }
    }

    private boolean ready(String part) throws Exception {
        return ask(part, "/readyz").status() == 200;
    }

    private void awaitReady(List<String> parts) throws Exception {
        for (String part : parts) {
            await(part + " to be ready", () -> ready(part));
        }
    }

    /** Not ready, and says in these words why; lives all the same. */
    private void awaitUnready(String part, String... why) throws Exception {
        await(
                part + " to say that it is not ready",
                () -> {
                    Answer answer = ask(part, "/readyz");
                    return answer.status() == 503
                            && List.of(why).stream().allMatch(answer.body()::contains);
                });
        Answer live =
                Await.answer(
                        LONG,
                        "an answer of " + part,
                        answer -> answer.status() != 0,
                        () -> ask(part, "/livez"));
        assertThat(live).isEqualTo(new Answer(200, "ok\n"));
    }

    @Test
    void daemonsSayThatTheRegistryIsGoneAndThatItIsBack() throws Exception {
        List<Integer> ports = LoopbackPorts.choose(16, new Random());
        config(ports);
        List<String> others = List.of("eventstore", "joiner", "dispatcher", "verifier");
        for (String replica : REPLICAS) {
            start("registry", replica, ports.get(9 + REPLICAS.indexOf(replica)));
        }
        for (String part : others) {
            start(part, "", ports.get(12 + others.indexOf(part)));
        }
        awaitReady(REPLICAS);
        // Nothing has ever come, and nothing was ever joined.
        awaitReady(others);
        String all =
                """
                [+]serving ok
                [+]registry ok
                [+]event_store ok
                [+]slot ok
                [+]adapter ok
                [+]commit ok
                [+]renewal ok
                [+]loop-main ok
                [+]loop-output ok
                readyz check passed
                """;
        await("the joiner's checks", () -> ask("joiner", "/readyz?verbose").body().equals(all));

        // What is left answers, and has no majority.
        part("r0").kill();
        part("r1").kill();
        List<String> lines = Disorder.lines(Repository.files("jobs", ".csv.gz"));
        write("events-0.csv", lines);
        String lone = "127.0.0.1:" + ports.get(5);
        for (String client : CLIENTS) {
            awaitUnready(
                    client,
                    "[-]registry failed: no service from the registry (127.0.0.1:" + ports.get(1),
                    lone + " knows a leader of 0 of ");
        }
        awaitUnready("joiner", "[-]commit failed: the oldest commit has waited ");
        awaitUnready("verifier", "[-]incarnations failed: the list of incarnations has waited ");
        awaitUnready("r2", "[-]leader failed: no leader is known of control, jobs/");
        assertThat(oldestCommitSeconds()).isGreaterThanOrEqualTo(10);
        awaitReady(List.of("eventstore"));

        // Nothing is left.
        part("r2").kill();
        for (String client : CLIENTS) {
            awaitUnready(client, "DescribePipeline at " + lone + ": UNAVAILABLE");
            Pattern warning =
                    Pattern.compile(
                            "WARN.*Not ready\\. .*the registry \\(127.0.0.1:" + ports.get(1));
            await("a warning", () -> warning.matcher(part(client).messages()).find());
        }

        for (String replica : REPLICAS) {
            start("registry", replica, ports.get(9 + REPLICAS.indexOf(replica)));
        }
        awaitReady(REPLICAS);
        awaitReady(others);
        for (String client : CLIENTS) {
            await("the good news", () -> part(client).messages().contains("Works again: "));
        }
        int joined = Repository.answer("jobs").get("joined").asInt();
        await(
                joined + " joined events",
                () -> JoinedPairs.read(directory.resolve("out")).count() >= joined);
        await("no commit to be open", () -> oldestCommitSeconds() == 0);

        // A peer that is there and says nothing.
        part("eventstore").signal("STOP");
        for (String client : List.of("joiner", "dispatcher")) {
            awaitUnready(
                    client, "[-]event_store failed: no service from the event store (127.0.0.1:");
        }
        part("eventstore").signal("CONT");
        awaitReady(others);
        part("joiner").kill();
        awaitUnready("dispatcher", "[-]joiner failed: no service from the joiner (127.0.0.1:");
    }

    private double oldestCommitSeconds() throws Exception {
        return ask("joiner", "/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("photon_joiner_oldest_unanswered_commit_seconds "))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' '))))
                .findFirst()
                .orElseThrow();
    }

    private void start(String role, String name, int metricsPort) throws IOException {
        String at = "127.0.0.1:" + metricsPort;
        String part = name.isEmpty() ? role : name;
        metrics.put(part, at);
        List<String> args =
                new ArrayList<>(
                        List.of(
                                "run",
                                role,
                                "--metrics",
                                at,
                                "--config",
                                directory.resolve("photon.yaml").toString()));
        if (!name.isEmpty()) {
            args.addAll(List.of("--name", name));
        }
        running.put(part, LocalProcess.start(directory, "", args.toArray(String[]::new)));
    }

    private LocalProcess part(String name) {
        return requireNonNull(running.get(name), name);
    }

    private void await(String what, Callable<Boolean> condition) throws Exception {
        Await.until(LONG, what, this::state, condition);
    }

    private String state() {
        StringBuilder state = new StringBuilder();
        for (String part : running.keySet()) {
            state.append("\n" + part + ": ");
            try {
                state.append(ask(part, "/readyz?verbose").body());
            } catch (Exception e) {
                state.append(e);
            }
            String said = part(part).messagesOrTrouble();
            state.append(said.substring(Math.max(0, said.length() - 1_500)));
        }
        return state.toString();
    }

    private void config(List<Integer> ports) throws IOException {
        StringBuilder text =
                new StringBuilder(
                        LocalTest.JOBS
                                .formatted("events-*.csv", "events-*.csv", "")
                                .replace("[east, west]", "[east]"));
        text.append("deployment:\n  datacenter: east\n");
        text.append("  state: state\n  output: out\n  registry:\n");
        for (int i = 0; i < REPLICAS.size(); i++) {
            text.append(
                    "    - {name: r%d, datacenter: east, raft: \"127.0.0.1:%d\", service: \"127.0.0.1:%d\"}\n"
                            .formatted(i, ports.get(2 * i), ports.get(2 * i + 1)));
        }
        text.append("  eventStore: 127.0.0.1:" + ports.get(6) + "\n");
        text.append("  dispatcher: 127.0.0.1:" + ports.get(7) + "\n");
        text.append("  joiners:\n    - {name: joiner-0, address: \"127.0.0.1:");
        text.append(ports.get(8) + "\"}\n");
        Files.writeString(directory.resolve("photon.yaml"), text);
    }

    private void write(String name, List<String> lines) throws IOException {
        Path aside = directory.resolve("." + name);
        Files.writeString(aside, String.join("\n", lines) + "\n");
        Files.move(aside, directory.resolve(name));
    }
}
