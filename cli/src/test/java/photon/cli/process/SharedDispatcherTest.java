package photon.cli.process;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
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
import photon.core.crash.CrashPoint;
import photon.core.rpc.LoopbackPorts;
import photon.core.testing.Await;
import photon.dispatcher.lease.PartitionOwners;
import photon.server.lifecycle.HaltAt;
import photon.storage.files.HadoopFileStore;

/** Two dispatchers of one datacenter that share the work, as on two machines. */
@Tag("crash")
class SharedDispatcherTest {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final int FILES = 12;

    @TempDir Path directory;
    private final Map<String, LocalProcess> running = new LinkedHashMap<>();

    /** Dispatchers that are started again when they have ended for a pause, as they do. */
    private final Set<String> supervised = new TreeSet<>();

    @AfterEach
    void killWhatIsLeft() {
        running.values().forEach(LocalProcess::close);
    }

    @Test
    void twoShareTheWorkAndOneGoesOnForTheOtherThatSleepsAndStopsWhenItWakes() throws Exception {
        List<String> lines = Disorder.lines(Repository.files("jobs", ".csv.gz"));
        int joined = Repository.answer("jobs").get("joined").asInt();
        int half = lines.size() / 2;
        int most = lines.size() * 3 / 4;
        List<Integer> ports = LoopbackPorts.choose(6, new Random());
        config("a", ports, ports.get(4));
        config("b", ports, ports.get(5));
        start("registry", "a", "r0", "");
        for (String role : List.of("eventstore", "joiner", "verifier", "dispatcher")) {
            start(role, "a", "", "");
            awaitServing(role + " a");
        }
        start("dispatcher", "b", "", "");
        supervised.addAll(List.of("dispatcher a", "dispatcher b"));
        write("before-", lines.subList(0, half));
        await("some joined events", () -> published().count() >= 100);
        await("fair shares", () -> shares().equals(Map.of(at(ports, 4), 4, at(ports, 5), 4)));

        LocalProcess asleep = part("dispatcher a");
        supervised.remove("dispatcher a");
        asleep.signal("STOP");
        long stopped = System.nanoTime();
        statusTellsOfTheOtherToo(at(ports, 4), at(ports, 5));
        write("behind-", lines.subList(half, most));
        await("the other one to take over", () -> shares().equals(Map.of(at(ports, 5), 8)));
        assertThat(Duration.ofNanos(System.nanoTime() - stopped))
                .isGreaterThan(Duration.ofSeconds(5));

        // What it had committed and not written has to come to the dispatcher that works now.
        part("joiner a").kill();
        start("joiner", "a", "", CrashPoint.COMMIT_ACCEPTED.label() + ":1");
        LocalProcess dies = part("joiner a");
        // All that came before may be joined by now, so only these are sure to make it commit.
        write("last-", lines.subList(most, lines.size()));
        await("the end of a joiner", () -> !dies.isAlive());
        assertThat(dies.await()).as(dies.messages()).isEqualTo(HaltAt.STATUS);
        start("joiner", "a", "", "");
        awaitServing("joiner a");
        await(joined + " joined events", () -> published().count() >= joined);

        asleep.signal("CONT");
        await("its end", () -> !asleep.isAlive());
        assertThat(asleep.await()).isEqualTo(1);
        // By its lease, or by a checkpoint: whichever it comes to first.
        assertThat(asleep.stderr())
                .containsAnyOf("works with the state no more", "owns it no more");
        start("dispatcher", "a", "", "");
        supervised.add("dispatcher a");
        await("fair shares again", () -> shares().equals(Map.of(at(ports, 4), 4, at(ports, 5), 4)));
        supervised.remove("dispatcher b");
        LocalProcess leaves = part("dispatcher b");
        leaves.terminate();
        assertThat(leaves.await()).as(leaves.messages()).isZero();
        await("the one that is left", () -> shares().equals(Map.of(at(ports, 4), 8)));

        JoinedPairs pairs = published();
        assertThat(pairs.count()).isEqualTo(joined);
        assertThat(pairs.sha256()).isEqualTo(Repository.answer("jobs").get("sha256").asText());
        statusNamesWhoWorksOnWhat(at(ports, 4));
    }

    private static String at(List<Integer> ports, int number) {
        return "127.0.0.1:" + ports.get(number);
    }

    /** How many partitions each works on. */
    private Map<String, Integer> shares() throws IOException {
        Map<String, Integer> shares = new TreeMap<>();
        PartitionOwners.read(
                        new HadoopFileStore(),
                        directory.resolve("shared/east/dispatcher").toString())
                .forEach(owner -> shares.merge(owner.address(), 1, Integer::sum));
        return shares;
    }

    /** When one is asleep: that is when somebody asks. */
    private void statusTellsOfTheOtherToo(String silent, String answering) throws Exception {
        String config = directory.resolve("a.yaml").toString();
        Captured text =
                Await.answer(
                        LONG,
                        "the partitions of the silent one, and the state of the other",
                        told ->
                                told.stdout().contains(silent + " works on")
                                        && told.stdout()
                                                .contains("dispatcher of east at " + answering),
                        () -> {
                            supervise();
                            return Captured.run(
                                    "dispatcher", "status", "--timeout", "10s", "--config", config);
                        });
        assertThat(text.status()).as(text.toString()).isEqualTo(1);
        assertThat(text.stderr()).contains("at " + silent + " does not answer");
    }

    private void statusNamesWhoWorksOnWhat(String address) {
        String config = directory.resolve("a.yaml").toString();
        Captured text = Captured.run("dispatcher", "status", "--config", config);
        assertThat(text.status()).as(text.toString()).isZero();
        assertThat(text.stdout())
                .contains("8 partitions of the foreign logs of east")
                .contains(address + " works on: 0, 1, 2, 3, 4, 5, 6, 7");
        Captured json = Captured.run("dispatcher", "status", "--config", config, "--json");
        assertThat(json.stdout()).contains("\"partitions\"", "\"dispatchers\"", address);
    }

    private boolean serves(String part) throws IOException {
        return part(part).stdout().contains("serves on");
    }

    private void awaitServing(String part) throws Exception {
        await(part + " to serve", () -> serves(part));
    }

    /**
     * @param machine whose configuration it has
     */
    private void start(String role, String machine, String name, String haltAt) throws IOException {
        List<String> args =
                new ArrayList<>(
                        List.of(
                                "run",
                                role,
                                "--config",
                                directory.resolve(machine + ".yaml").toString()));
        if (!name.isEmpty()) {
            args.addAll(List.of("--name", name));
        }
        running.put(
                role + " " + machine,
                LocalProcess.start(directory, haltAt, args.toArray(String[]::new)));
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

    /** A pause of the machine that is longer than a lease ends a dispatcher. */
    private void supervise() throws IOException {
        for (String part : supervised) {
            if (!part(part).isAlive()
                    && part(part).stderr().contains("works with the state no more")) {
                start("dispatcher", part.substring(part.length() - 1), "", "");
            }
        }
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

    /** In several files, so that each dispatcher has some. */
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
