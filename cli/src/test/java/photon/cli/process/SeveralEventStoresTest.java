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
import java.util.stream.Collectors;
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

/** Three event stores of one datacenter, as on three machines, of which one dies. */
@Tag("crash")
class SeveralEventStoresTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    /** Where the first event store listens, among the ports; the others behind it. */
    private static final int STORES = 4;

    @TempDir Path directory;
    private final Map<String, LocalProcess> running = new LinkedHashMap<>();

    @AfterEach
    void killWhatIsLeft() {
        running.values().forEach(LocalProcess::close);
    }

    @Test
    void aStoreThatDiesCostsNoJoinAndOneThatLeavesHandsItsShareOn() throws Exception {
        List<String> lines = Disorder.lines(Repository.files("jobs", ".csv.gz"));
        int joined = Repository.answer("jobs").get("joined").asInt();
        int half = lines.size() / 2;
        List<Integer> ports = LoopbackPorts.choose(STORES + 3, new Random());
        config("three", ports, 3);
        config("two", ports, 2);
        start("registry", "r0", "three");
        for (int store = 0; store < 3; store++) {
            start("eventstore", "eventstore-" + store, "three");
        }
        for (String role : List.of("joiner", "verifier", "dispatcher")) {
            start(role, "", "three");
        }
        write("before", lines.subList(0, half));
        await("some joined events", () -> published().count() >= 100);

        part("eventstore eventstore-1").kill();
        write("behind", lines.subList(half, lines.size()));
        await(joined + " joined events", () -> published().count() >= joined);
        exactlyTheRightAnswer(joined);
        statusTellsOfTheOthersToo(at(ports, 1));

        start("eventstore", "eventstore-1", "three");
        Captured all = status("three");
        assertThat(all.status()).as(all.toString()).isZero();
        assertThat(all.stdout()).contains(at(ports, 0), at(ports, 1), at(ports, 2));
        JsonNode json = new ObjectMapper().readTree(status("three", "--json").stdout());
        assertThat(json.at("/eventStores"))
                .extracting(store -> store.at("/address").asText())
                .containsExactly(at(ports, 0), at(ports, 1), at(ports, 2));

        // The third leaves for good: the others have to keep what was its share.
        part("eventstore eventstore-2").terminate();
        part("eventstore eventstore-1").terminate();
        assertThat(part("eventstore eventstore-1").await()).isZero();
        start("eventstore", "eventstore-1", "two");
        assertThat(part("eventstore eventstore-1").stderr())
                .contains("has to keep primary events that it did not keep before");
        exactlyTheRightAnswer(joined);
    }

    @Test
    void whoIsNotListedIsRefused() throws Exception {
        config("three", LoopbackPorts.choose(STORES + 3, new Random()), 3);
        try (LocalProcess other =
                LocalProcess.start(directory, "", run("eventstore", "eventstore-9", "three"))) {
            assertThat(other.await()).isEqualTo(2);
            assertThat(other.stderr())
                    .contains(
                            "--name is 'eventstore-9': expected an event store of deployment.eventStores, one of eventstore-0, eventstore-1, eventstore-2");
        }
    }

    private void exactlyTheRightAnswer(int joined) throws IOException {
        JoinedPairs pairs = published();
        assertThat(pairs.count()).isEqualTo(joined);
        assertThat(pairs.sha256()).isEqualTo(Repository.answer("jobs").get("sha256").asText());
    }

    private static String at(List<Integer> ports, int store) {
        return "127.0.0.1:" + ports.get(STORES + store);
    }

    private Captured status(String config, String... more) {
        List<String> args =
                new ArrayList<>(List.of("eventstore", "status", "--timeout", "20s", "--config"));
        args.add(directory.resolve(config + ".yaml").toString());
        args.addAll(List.of(more));
        return Captured.run(args.toArray(String[]::new));
    }

    private void statusTellsOfTheOthersToo(String silent) {
        Captured text = status("three");
        assertThat(text.status()).as(text.toString()).isEqualTo(1);
        assertThat(text.stderr()).contains("at " + silent + " does not answer");
        assertThat(text.stdout().lines().filter(line -> line.contains("event store of east at")))
                .hasSize(2);
    }

    private String[] run(String role, String name, String config) {
        String file = directory.resolve(config + ".yaml").toString();
        return name.isEmpty()
                ? new String[] {"run", role, "--config", file}
                : new String[] {"run", role, "--config", file, "--name", name};
    }

    private void start(String role, String name, String config) throws Exception {
        String part = (role + " " + name).strip();
        LocalProcess process = LocalProcess.start(directory, "", run(role, name, config));
        running.put(part, process);
        if (!role.equals("registry")) {
            await(part + " to serve", () -> process.stdout().contains("serves on"));
        }
    }

    private LocalProcess part(String name) {
        return requireNonNull(running.get(name), name);
    }

    private JoinedPairs published() throws IOException {
        return JoinedPairs.read(directory.resolve("out"));
    }

    private void await(String what, Callable<Boolean> condition) throws Exception {
        Await.until(LONG, what, this::state, condition);
    }

    private String state() {
        return running.entrySet().stream()
                .map(
                        part -> {
                            String said = part.getValue().messagesOrTrouble();
                            return "\n"
                                    + part.getKey()
                                    + ": "
                                    + said.substring(Math.max(0, said.length() - 2_000));
                        })
                .collect(Collectors.joining());
    }

    private void config(String name, List<Integer> ports, int stores) throws IOException {
        StringBuilder list = new StringBuilder();
        for (int store = 0; store < stores; store++) {
            list.append(
                    "    - {name: eventstore-%d, address: \"%s\"}\n"
                            .formatted(store, at(ports, store)));
        }
        String text =
                LocalTest.JOBS.formatted("*-events.csv", "*-events.csv", "")
                        + """
                        deployment:
                          datacenter: east
                          state: state
                          output: out
                          registry:
                            - {name: r0, datacenter: east, raft: "127.0.0.1:%d", service: "127.0.0.1:%d"}
                          dispatcher: 127.0.0.1:%d
                          joiners:
                            - {name: joiner-0, address: "127.0.0.1:%d"}
                          eventStores:
                        """
                                .formatted(ports.get(0), ports.get(1), ports.get(2), ports.get(3))
                        + list;
        Files.writeString(directory.resolve(name + ".yaml"), text);
    }

    private void write(String name, List<String> lines) throws IOException {
        Path aside = directory.resolve("." + name);
        Files.writeString(aside, String.join("\n", lines) + "\n");
        Files.move(aside, directory.resolve(name + "-events.csv"));
    }
}
