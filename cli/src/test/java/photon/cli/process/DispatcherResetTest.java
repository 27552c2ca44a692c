package photon.cli.process;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.cli.Captured;
import photon.cli.Disorder;
import photon.cli.JoinedPairs;
import photon.cli.LocalProcess;
import photon.cli.Repository;
import photon.core.rpc.LoopbackPorts;
import photon.core.testing.Await;

/** {@code photon dispatcher reset} of a datacenter whose parts are processes. */
@Tag("crash")
class DispatcherResetTest {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final int FILES = 6;

    @TempDir Path directory;
    private final Map<String, LocalProcess> running = new LinkedHashMap<>();

    @AfterEach
    void killWhatIsLeft() {
        running.values().forEach(LocalProcess::close);
    }

    @Test
    void whatIsSkippedIsNotJoinedAndWhatIsReadAgainIsJoinedOnce() throws Exception {
        List<String> lines = Disorder.lines(Repository.files("jobs", ".csv.gz"));
        int joined = Repository.answer("jobs").get("joined").asInt();
        int half = lines.size() / 2;
        List<Integer> ports = LoopbackPorts.choose(6, new Random());
        config("a", ports, ports.get(4));
        config("b", ports, ports.get(5));
        start("registry", "--name", "r0");
        for (String role : List.of("eventstore", "joiner", "verifier", "dispatcher")) {
            start(role);
        }
        write("before-", lines.subList(0, half));
        await("some joined events", () -> published().count() >= 100);
        await("the end of the logs", this::isIdle);
        itIsRefusedWhileTheDispatcherWorks("127.0.0.1:" + ports.get(4));

        part("dispatcher").terminate();
        assertThat(part("dispatcher").await()).isZero();
        write("behind-", lines.subList(half, lines.size()));
        theRestIsSkipped();
        start("dispatcher");
        await("the end of the logs again", this::isIdle);
        assertThat(published().count()).isBetween(100, joined - 1);

        // It gives nothing back: the next one has to see that it is dead.
        part("dispatcher").kill();
        int known = allIsToBeReadAgain();
        start("dispatcher");
        await(joined + " joined events", () -> published().count() >= joined);
        await("the end of the logs once more", this::isIdle);
        await(
                "that what was joined before is known",
                () -> status().path("alreadyJoined").asInt() >= known);
        JoinedPairs pairs = published();
        assertThat(pairs.count()).isEqualTo(joined);
        assertThat(pairs.sha256()).isEqualTo(Repository.answer("jobs").get("sha256").asText());
    }

    private void itIsRefusedWhileTheDispatcherWorks(String address) {
        for (String machine : List.of("a", "b")) {
            Captured refused = reset(machine, "--to", "earliest", "--yes");
            assertThat(refused.status()).as(refused.toString()).isEqualTo(1);
            assertThat(refused.stderr()).contains("at " + address + ": stop ");
        }
        Captured planned = reset("a", "--to", "latest", "--dry-run");
        assertThat(planned.status()).as(planned.toString()).isZero();
        assertThat(planned.stdout()).contains("nothing is skipped", "planned");
    }

    private void theRestIsSkipped() {
        Captured unsure = reset("a", "--to", "latest", "--yes");
        assertThat(unsure.status()).as(unsure.toString()).isEqualTo(1);
        assertThat(unsure.stderr()).contains("Add --skip-unread");
        Captured none = reset("a", "--to", "latest", "--files", "/nowhere/*", "--dry-run");
        assertThat(none.stderr()).contains("/nowhere/* matches none of the foreign logs");
        Captured done = reset("a", "--to", "latest", "--yes", "--skip-unread");
        assertThat(done.status()).as(done.toString()).isZero();
        assertThat(done.stdout())
                .contains("SKIPPED, unread: %d logs".formatted(FILES))
                .contains("the next dispatcher that starts goes on from there");
        assertThat(reset("a", "--to", "latest", "--yes").stdout()).contains("nothing to reset");
    }

    /** How many of the events were known. */
    private int allIsToBeReadAgain() throws IOException {
        Captured plan = reset("a", "--to", "earliest", "--dry-run", "--json");
        assertThat(plan.status()).as(plan.toString()).isZero();
        JsonNode json = new ObjectMapper().readTree(plan.stdout());
        assertThat(json.get("outcome").asText()).isEqualTo("planned");
        assertThat(json.findValuesAsText("fate")).hasSize(2 * FILES).containsOnly("back");
        assertThat(json.get("eventsExact").asBoolean()).isTrue();
        int known = json.get("known").asInt();
        assertThat(known).isGreaterThanOrEqualTo(100);
        assertThat(known).isLessThan(json.get("events").asInt());
        Captured done = reset("b", "--to", "earliest", "--yes");
        assertThat(done.status()).as(done.toString()).isZero();
        assertThat(done.stdout())
                .contains("read again: %d logs".formatted(2 * FILES))
                .contains("Looks for up to 22 s whether the dispatchers at 127.0.0.1:");
        return known;
    }

    private Captured reset(String machine, String... more) {
        List<String> args = new ArrayList<>(List.of("dispatcher", "reset"));
        args.addAll(List.of("--config", directory.resolve(machine + ".yaml").toString()));
        args.addAll(List.of("--timeout", "60s"));
        args.addAll(List.of(more));
        return Captured.run(args.toArray(String[]::new));
    }

    private JsonNode status() throws IOException {
        String config = directory.resolve("a.yaml").toString();
        Captured json = Captured.run("dispatcher", "status", "--config", config, "--json");
        return json.status() == 0
                ? new ObjectMapper().readTree(json.stdout()).get("dispatchers").get(0)
                : new ObjectMapper().createObjectNode();
    }

    /** All is read, and nothing is on its way. */
    private boolean isIdle() throws IOException {
        JsonNode now = status();
        return now.path("caughtUp").asBoolean()
                && now.path("unreadBytes").asLong() == 0
                && now.path("eventsRead").asLong() >= 0
                && now.path("inFlight").asLong() == 0
                && now.path("held").asLong() == 0
                && now.path("gated").asLong() == 0
                && now.path("files").asInt() >= FILES;
    }

    private void start(String role, String... more) throws Exception {
        begin(role, more);
        await(role + " to serve", () -> part(role).stdout().contains("serves on"));
    }

    private void begin(String role, String... more) throws IOException {
        List<String> args =
                new ArrayList<>(
                        List.of("run", role, "--config", directory.resolve("a.yaml").toString()));
        args.addAll(List.of(more));
        running.put(role, LocalProcess.start(directory, "", args.toArray(String[]::new)));
    }

    /** A pause of the machine that is longer than a lease ends a dispatcher. */
    private void supervise() throws IOException {
        LocalProcess dispatcher = running.get("dispatcher");
        if (dispatcher != null
                && !dispatcher.isAlive()
                && dispatcher.stderr().contains("works with the state no more")) {
            begin("dispatcher");
        }
    }

    private LocalProcess part(String name) {
        return requireNonNull(running.get(name), name);
    }

    private JoinedPairs published() throws IOException {
        return JoinedPairs.read(directory.resolve("out"));
    }

    private void await(String what, Callable<Boolean> condition) throws Exception {
        Await.until(
                LONG,
                what,
                this::state,
                () -> {
                    supervise();
                    return condition.call();
                });
    }

    private String state() {
        StringBuilder state = new StringBuilder();
        running.forEach(
                (part, process) -> {
                    String said = process.messagesOrTrouble();
                    state.append("\n" + part + ": ")
                            .append(said.substring(Math.max(0, said.length() - 2_000)));
                });
        return state.toString();
    }

    private void config(String machine, List<Integer> ports, int dispatcher) throws IOException {
        String text =
                LocalTest.JOBS.formatted("*-events-*.csv", "*-events-*.csv", "")
                        + """
                        deployment:
                          datacenter: east
                          state: state-%s
                          shared: shared
                          output: out
                          registry:
                            - {name: r0, datacenter: east, raft: "127.0.0.1:%d", service: "127.0.0.1:%d"}
                          eventStore: 127.0.0.1:%d
                          dispatcher: 127.0.0.1:%d
                          joiners:
                            - {name: joiner-0, address: "127.0.0.1:%d"}
                        """
                                .formatted(
                                        machine,
                                        ports.get(0),
                                        ports.get(1),
                                        ports.get(2),
                                        dispatcher,
                                        ports.get(3));
        Files.writeString(directory.resolve(machine + ".yaml"), text);
    }

    private void write(String name, List<String> lines) throws IOException {
        int each = (lines.size() + FILES - 1) / FILES;
        for (int i = 0; i * each < lines.size(); i++) {
            List<String> some = lines.subList(i * each, Math.min(lines.size(), (i + 1) * each));
            Path aside = directory.resolve("." + name + i);
            Files.writeString(aside, String.join("\n", some) + "\n");
            Files.move(aside, directory.resolve(name + "events-" + i + ".csv"));
        }
    }
}
