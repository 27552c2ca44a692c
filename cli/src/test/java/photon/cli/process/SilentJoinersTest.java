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
import photon.cli.Disorder;
import photon.cli.JoinedPairs;
import photon.cli.LocalProcess;
import photon.cli.Repository;
import photon.core.crash.CrashPoint;
import photon.core.rpc.LoopbackPorts;
import photon.core.testing.Await;
import photon.server.lifecycle.HaltAt;

/**
 * Joiners that die and stay dead, or sleep for longer than they may, in a deployment of processes:
 * what they had committed and not written is repaired without anybody's help.
 */
@Tag("crash")
class SilentJoinersTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    /** A listing that takes a third of it begins the silence anew: a slow disk must not do that. */
    private static final Duration FENCE_AFTER = Duration.ofSeconds(20);

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> DATACENTERS = List.of("east", "west");

    @TempDir Path directory;
    private final Map<String, LocalProcess> running = new LinkedHashMap<>();

    @AfterEach
    void killWhatIsLeft() {
        running.values().forEach(LocalProcess::close);
    }

    @Test
    void whatAJoinerHadThatStaysAwayIsPublishedByOthers() throws Exception {
        List<String> lines = Disorder.lines(Repository.files("jobs", ".csv.gz"));
        int joined = Repository.answer("jobs").get("joined").asInt();
        startAllButTheJoinerOfWest();

        write("events-0.csv", lines.subList(0, lines.size() / 2));
        LocalProcess dead = part("east joiner-0");
        await("the end of a joiner", () -> !dead.isAlive());
        assertThat(dead.await()).as(dead.messages()).isEqualTo(HaltAt.STATUS);
        start("joiner", "west", "joiner-0", "");
        awaitServing("west joiner-0");
        await("its fence", () -> fences("east verifier") > 0);
        await("its repair", () -> isRepaired("east verifier"));

        // The only one of its datacenter sleeps, with what it has at this moment.
        int before = published().count();
        write("events-1.csv", lines.subList(lines.size() / 2, lines.size()));
        await("new joined events", () -> published().count() > before);
        LocalProcess asleep = part("west joiner-0");
        asleep.signal("STOP");
        await("its fence", () -> fences("west verifier") > 0);
        asleep.signal("CONT");
        await("its next incarnation", () -> servesAnew("west joiner-0"));

        await(joined + " joined events", () -> published().count() >= joined);
        stopAll(dead);
        JoinedPairs pairs = published();
        assertThat(pairs.count()).isEqualTo(joined);
        assertThat(pairs.sha256()).isEqualTo(Repository.answer("jobs").get("sha256").asText());
    }

    /** Alone, east's joiners are given ids for certain: west's could be the first at every one. */
    private void startAllButTheJoinerOfWest() throws Exception {
        List<Integer> ports = LoopbackPorts.choose(2 + 5 * DATACENTERS.size(), new Random());
        for (int i = 0; i < DATACENTERS.size(); i++) {
            config(DATACENTERS.get(i), ports, 2 + 5 * i);
        }
        start("registry", "east", "r0", "");
        for (String datacenter : DATACENTERS) {
            for (String role : List.of("eventstore", "dispatcher", "verifier")) {
                start(role, datacenter, "", "");
            }
        }
        // It ends, as by kill -9, with ids that it was given and has not written a byte of.
        start("joiner", "east", "joiner-0", CrashPoint.COMMIT_ACCEPTED.label() + ":2");
        start("joiner", "east", "joiner-1", "");
        for (String part : List.copyOf(running.keySet())) {
            awaitServing(part);
        }
    }

    private void awaitServing(String part) throws Exception {
        await(part + " to serve", () -> part(part).stdout().contains("serves on"));
    }

    /** Without those that have ended by themselves. */
    private void stopAll(LocalProcess dead) throws Exception {
        List<String> parts = new ArrayList<>(running.keySet());
        for (int i = parts.size() - 1; i >= 0; i--) {
            LocalProcess part = part(parts.get(i));
            if (part != dead) {
                part.terminate();
                assertThat(part.await()).as(parts.get(i) + ": " + part.messages()).isZero();
            }
        }
    }

    private void start(String role, String datacenter, String name, String haltAt)
            throws IOException {
        List<String> args =
                new ArrayList<>(
                        List.of(
                                "run",
                                role,
                                "--status-every",
                                "500ms",
                                "--config",
                                directory.resolve(datacenter + ".yaml").toString()));
        if (!name.isEmpty()) {
            args.addAll(List.of("--name", name));
        }
        String part = datacenter + " " + (name.isEmpty() ? role : name);
        running.put(part, LocalProcess.start(directory, haltAt, args.toArray(String[]::new)));
    }

    private LocalProcess part(String name) {
        return requireNonNull(running.get(name), name);
    }

    /** The last status that the process has told; empty: none. */
    private JsonNode status(String part) throws IOException {
        JsonNode last = JSON.createObjectNode();
        for (String line : part(part).stdout().lines().toList()) {
            // The last line may be half written.
            if (line.startsWith("{") && line.endsWith("}}")) {
                last = JSON.readTree(line).path("status");
            }
        }
        return last;
    }

    private int fences(String verifier) throws IOException {
        return status(verifier).path("silence").path("fenced").asInt();
    }

    private boolean isRepaired(String verifier) throws IOException {
        JsonNode status = status(verifier);
        return status.path("repairedEvents").asInt() > 0 && status.path("idle").asBoolean();
    }

    private boolean servesAnew(String joiner) throws IOException {
        JsonNode status = status(joiner);
        return status.path("restarts").asInt() > 0
                && status.path("state").asText().equals("SERVING");
    }

    private JoinedPairs published() throws IOException {
        return JoinedPairs.read(directory.resolve("out"));
    }

    private void await(String what, Callable<Boolean> condition) throws Exception {
        Await.until(LONG, what, this::state, condition);
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

    private void config(String datacenter, List<Integer> ports, int own) throws IOException {
        StringBuilder text =
                new StringBuilder(
                        LocalTest.JOBS.formatted(
                                "events-*.csv",
                                "events-*.csv",
                                ", eventsInFlightMax: 40, commitsInFlightMax: 40"));
        text.append("repair: {fenceAfter: %ds}\n".formatted(FENCE_AFTER.toSeconds()));
        text.append("deployment:\n  datacenter: " + datacenter + "\n");
        // Datacenters share nothing but the output's parent, for the test's sake.
        text.append("  state: state-" + datacenter + "\n  output: out\n  registry:\n");
        text.append(
                "    - {name: r0, datacenter: east, raft: \"127.0.0.1:%d\", service: \"127.0.0.1:%d\"}\n"
                        .formatted(ports.get(0), ports.get(1)));
        text.append("  eventStore: 127.0.0.1:" + ports.get(own) + "\n");
        text.append("  dispatcher: 127.0.0.1:" + ports.get(own + 1) + "\n");
        text.append("  joiners:\n");
        int joiners = datacenter.equals("east") ? 2 : 1;
        for (int i = 0; i < joiners; i++) {
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
