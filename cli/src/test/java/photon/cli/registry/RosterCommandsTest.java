package photon.cli.registry;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import photon.cli.Captured;
import photon.core.rpc.HostPort;
import photon.core.rpc.LoopbackPorts;
import photon.core.testing.Await;
import photon.core.testing.Together;
import photon.core.time.SystemClock;
import photon.idregistry.raft.RaftTuning;
import photon.idregistry.server.RegistryServer;
import photon.idregistry.server.config.RegistryServerConfig;

/** {@code photon registry members add|remove} with real servers: two, then three, then two. */
@Timeout(900)
@Tag("slow")
class RosterCommandsTest {
    private static final int SERVERS = 3;

    @TempDir Path root;

    private final Queue<String> bugs = new ConcurrentLinkedQueue<>();
    private final List<RegistryServerConfig.Peer> peers = new ArrayList<>();
    private final @Nullable RegistryServer[] running = new RegistryServer[SERVERS];

    private void start(int n, int listed) {
        running[n] =
                RegistryServer.start(
                        RegistryServerConfig.of(
                                        "r" + n, peers.subList(0, listed), root.resolve("r" + n))
                                .with(
                                        RaftTuning.LAN.withElection(
                                                Duration.ofSeconds(5), Duration.ofSeconds(10))),
                        new SystemClock(Duration.ofMillis(250)),
                        (where, bug) -> bugs.add(where + ": " + bug));
    }

    private void stop(int n) {
        RegistryServer server = running[n];
        if (server != null) {
            server.close();
            running[n] = null;
        }
    }

    @AfterEach
    void stopAll() {
        IntStream.range(0, SERVERS).forEach(this::stop);
    }

    private Captured registry(String... command) {
        List<String> args = new ArrayList<>(List.of("registry"));
        args.addAll(List.of(command));
        args.addAll(List.of("--servers", peers.get(0).service().toString(), "--timeout", "60s"));
        return Captured.run(args.toArray(String[]::new));
    }

    private Captured members(String... command) {
        List<String> args = new ArrayList<>(List.of("members"));
        args.addAll(List.of(command));
        return registry(args.toArray(String[]::new));
    }

    private JsonNode list() {
        Captured listed = members("list", "--json");
        if (listed.status() != 0) {
            return MissingNode.getInstance();
        }
        try {
            return new ObjectMapper().readTree(listed.stdout());
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new AssertionError(listed.toString(), e);
        }
    }

    private static String outcome(Captured change) throws Exception {
        return new ObjectMapper().readTree(change.stdout()).path("outcome").asText();
    }

    private JsonNode member(int n) {
        return list().path("members").path(n);
    }

    private void await(String what, java.util.function.BooleanSupplier holds) throws Exception {
        Await.until(
                Duration.ofMinutes(2), what, () -> members("list").stdout(), holds::getAsBoolean);
    }

    /** Asks until it is as expected: a leader may be missing, or a server slow to answer. */
    private static Captured await(
            String expected, Await.Condition<Captured> condition, Supplier<Captured> asked)
            throws Exception {
        return Await.answer(Duration.ofMinutes(2), expected, condition, asked::get);
    }

    private static void awaitSaid(String part, Supplier<Captured> asked) throws Exception {
        await(part, run -> run.stdout().contains(part), asked);
    }

    /** Safe a moment ago; it may be refused as long as a leader changes. */
    private Captured changed(String verb, String name) throws Exception {
        return await(
                "no leader that changes",
                run -> !run.stderr().contains("it is not safe now"),
                () -> members(verb, name, "--yes"));
    }

    @Test
    void aServerIsAddedAndRemoved() throws Exception {
        List<Integer> ports = LoopbackPorts.choose(2 * SERVERS, new Random());
        for (int n = 0; n < SERVERS; n++) {
            peers.add(
                    new RegistryServerConfig.Peer(
                            "r" + n,
                            new HostPort("127.0.0.1", ports.get(2 * n)),
                            new HostPort("127.0.0.1", ports.get(2 * n + 1))));
        }
        Together.run(2, n -> start(n, 2));
        await("a roster", () -> list().path("rosterVersion").asInt() == 1);
        Captured unknown = members("add", "r2", "--yes");
        assertThat(unknown.status()).isEqualTo(1);
        assertThat(unknown.stderr()).contains("knows server r2", "one of [r0, r1]");

        stop(1);
        start(1, 3);
        await("who knows r2", () -> members("list").stdout().contains("r2"));
        Captured halfKnown =
                await(
                        "that r0 does not list it",
                        run -> run.stdout().contains("does not list it at that address"),
                        () -> members("add", "r2", "--dry-run"));
        assertThat(halfKnown.status()).as(halfKnown.toString()).isEqualTo(1);
        assertThat(halfKnown.stdout())
                .contains("r2 will join the members [r0, r1]")
                .contains("[r0 (its configuration does not list it at that address)]");
        assertThat(members("add", "r2", "--yes").stderr())
                .contains("not added: it is not safe now");
        stop(0);
        start(0, 3);
        addTheThird();
        removeOne();
        assertThat(bugs).isEmpty();
    }

    private void addTheThird() throws Exception {
        CompletableFuture<Void> third =
                CompletableFuture.runAsync(() -> start(2, 3), task -> new Thread(task).start());
        Captured planned =
                await(
                        "a dry run that finds it safe",
                        run -> run.status() == 0,
                        () -> members("add", "r2", "--dry-run"));
        assertThat(planned.stdout()).contains("group control: r2 joins: safe");
        awaitSaid("not a member: not added yet", () -> members("list"));
        awaitSaid("2 of 2 servers answer", () -> registry("status"));
        assertThat(third).isNotDone();
        Captured added = changed("add", "r2");
        assertThat(added.status()).as(added.toString()).isZero();
        assertThat(added.stdout()).contains("r2: added, the members are now [r0, r1, r2]");
        Captured again = members("add", "r2", "--yes");
        assertThat(again.status()).as(again.toString()).isZero();
        assertThat(again.stdout()).contains("r2 is already a member");
        assertThat(outcome(members("add", "r2", "-y", "--json"))).isEqualTo("nothing to be done");
        third.get(2, TimeUnit.MINUTES);
        await(
                "r2 in every group",
                () ->
                        !member(2).path("joining").asBoolean()
                                && member(2).path("groups").path(0).path("member").asBoolean());
        assertThat(member(2).path("number").asInt()).isEqualTo(2);
        awaitSaid("3 of 3 servers answer", () -> registry("status"));
    }

    private void removeOne() throws Exception {
        Captured planned =
                await(
                        "a dry run that finds it safe",
                        run -> run.status() == 0,
                        () -> members("remove", "r1", "--dry-run"));
        assertThat(planned.stdout())
                .contains("r1, with disk ", "group control: r1 leaves: safe")
                .contains("warning: 2 servers tolerate the loss of 0, the same as 1 servers");
        assertThat(member(1).path("onRoster").asBoolean()).as("nothing was done").isTrue();
        Captured removed = changed("remove", "r1");
        assertThat(removed.status()).as(removed.toString()).isZero();
        assertThat(removed.stdout()).contains("r1: removed, the members are now [r0, r2]");
        await(
                "r1 in no group",
                () ->
                        !member(1).path("leaving").asBoolean()
                                && member(1).path("state").asText().equals("removed"));
        await("its end", () -> !bugs.isEmpty());
        assertThat(bugs.poll()).contains("r1 was removed from the registry");
        assertThat(members("remove", "r1", "--yes").stdout()).contains("r1 is not a member");
        Captured last = members("remove", "r2", "--dry-run");
        assertThat(last.status()).isEqualTo(1);
        assertThat(last.stdout()).contains("not safe: only one server would be left");
        last = members("remove", "r2", "--dry-run", "-o", "json");
        assertThat(outcome(last)).isEqualTo("not safe");
        assertThat(last.stderr()).contains("not safe: only one server would be left");
        assertThat(members("replace", "r1", "--dry-run").stderr())
                .contains("r1 is not a member of the registry: expected one of [r0, r2]");
        awaitSaid("number 1, is in no group any more", () -> registry("audit"));
        assertThat(registry("audit").stdout())
                .contains("the registry has the servers [r0, r1]")
                .contains("r2: added, as number 2")
                .contains("r1: removed, with disk", "number 1, is in no group any more");
    }
}
