package photon.cli.registry;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
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

/** {@code photon registry members} with a registry of three real servers. */
@Timeout(900)
@Tag("slow")
class MembersCommandTest {
    private static final int SERVERS = 3;

    @TempDir static Path root;

    private static final Queue<String> BUGS = new ConcurrentLinkedQueue<>();
    private static final List<RegistryServerConfig.Peer> PEERS = new ArrayList<>();
    private static final @Nullable RegistryServer[] RUNNING = new RegistryServer[SERVERS];

    @BeforeAll
    static void start() throws Exception {
        List<Integer> ports = LoopbackPorts.choose(2 * SERVERS, new Random());
        for (int n = 0; n < SERVERS; n++) {
            PEERS.add(
                    new RegistryServerConfig.Peer(
                            "r" + n,
                            new HostPort("127.0.0.1", ports.get(2 * n)),
                            new HostPort("127.0.0.1", ports.get(2 * n + 1))));
        }
        Together.run(SERVERS, MembersCommandTest::start);
    }

    private static void start(int n) {
        RUNNING[n] =
                RegistryServer.start(
                        RegistryServerConfig.of("r" + n, PEERS, data(n))
                                .with(
                                        RaftTuning.LAN.withElection(
                                                Duration.ofSeconds(5), Duration.ofSeconds(10))),
                        new SystemClock(Duration.ofMillis(250)),
                        (where, bug) -> BUGS.add(where + ": " + bug));
    }

    private static Path data(int n) {
        return root.resolve("r" + n);
    }

    private static void stop(int n) {
        RegistryServer server = RUNNING[n];
        if (server != null) {
            server.close();
            RUNNING[n] = null;
        }
    }

    @AfterAll
    static void stopAll() {
        IntStream.range(0, SERVERS).forEach(MembersCommandTest::stop);
        assertThat(BUGS).isEmpty();
    }

    /** By the first and the last server's addresses: these name the others. */
    private static Captured members(String... command) {
        List<String> args = new ArrayList<>(List.of("registry", "members"));
        args.addAll(List.of(command));
        args.addAll(
                List.of(
                        "--servers",
                        PEERS.get(0).service() + "," + PEERS.get(2).service(),
                        "--timeout",
                        "60s"));
        return Captured.run(args.toArray(String[]::new));
    }

    private static JsonNode member(String name) {
        Captured listed = members("list", "--json");
        assertThat(listed.status()).as(listed.toString()).isZero();
        return member(name, listed);
    }

    private static JsonNode member(String name, Captured listed) {
        if (listed.status() != 0) {
            return MissingNode.getInstance();
        }
        try {
            for (JsonNode member : new ObjectMapper().readTree(listed.stdout()).path("members")) {
                if (member.path("name").asText().equals(name)) {
                    return member;
                }
            }
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new AssertionError(listed.stdout(), e);
        }
        throw new AssertionError(listed.stdout());
    }

    private static void awaitMember(String name, int number) throws Exception {
        Await.until(
                Duration.ofMinutes(2),
                name + " in every group",
                () -> members("list").stdout(),
                () -> {
                    JsonNode member = member(name, members("list", "--json"));
                    return member.path("number").asInt() == number
                            && !member.path("disk").asText().isEmpty()
                            && !member.path("joining").asBoolean()
                            && member.path("groups").path(0).path("member").asBoolean()
                            && member.path("groups").path(0).path("caughtUp").asBoolean();
                });
    }

    /** Asks until it is as expected: a leader may be missing, or a server slow to answer. */
    private static Captured await(
            String expected, Await.Condition<Captured> condition, String... command)
            throws Exception {
        return Await.answer(Duration.ofMinutes(2), expected, condition, () -> members(command));
    }

    @Test
    void aDiskIsReplacedWhenItIsSafe() throws Exception {
        for (int n = 0; n < SERVERS; n++) {
            awaitMember("r" + n, 1);
        }
        Captured listed =
                await(
                        "somebody who leads",
                        run ->
                                run.stdout()
                                        .contains(
                                                "member of 1 of 1 groups, caught up in 1, leads 1"),
                        "list");
        assertThat(listed.status()).isZero();
        assertThat(listed.stdout())
                .contains("SERVER", "DATACENTER", "r2", PEERS.get(1).service().toString());

        Captured unknown = members("replace", "r9", "--dry-run");
        assertThat(unknown.status()).isEqualTo(1);
        assertThat(unknown.stderr()).contains("no server r9: expected one of [r0, r1, r2]");

        Captured running =
                await(
                        "a disk that is in use",
                        run -> run.stdout().contains("not safe: r1 runs with that disk"),
                        "replace",
                        "r1",
                        "--dry-run");
        assertThat(running.status()).as(running.toString()).isEqualTo(1);
        Captured refused = members("replace", "r1", "--yes");
        assertThat(refused.status()).isEqualTo(1);
        assertThat(refused.stderr()).contains("not replaced: it is not safe now");

        String lost = member("r1").path("disk").asText();
        stop(1);
        try (Stream<Path> all = Files.walk(data(1))) {
            for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(one);
            }
        }
        Captured planned =
                await(
                        "a dry run that finds it safe",
                        run -> run.status() == 0,
                        "replace",
                        "r1",
                        "--dry-run");
        assertThat(planned.stdout())
                .contains(lost + ", number 1, will be declared permanently lost")
                .contains("group control: r1 leaves, r1#2 joins: safe");
        assertThat(member("r1").path("number").asInt()).as("nothing was done").isEqualTo(1);

        Captured done =
                await(
                        "no leader that changes",
                        run -> !run.stderr().contains("not replaced: it is not safe now"),
                        "replace",
                        "r1",
                        "--yes");
        assertThat(done.status()).as(done.toString()).isZero();
        assertThat(done.stdout()).contains("its disk becomes number 2");
        Captured again = members("replace", "r1", "--yes");
        assertThat(again.status()).as(again.toString()).isZero();
        assertThat(again.stdout()).contains("is already declared lost");
        again = members("replace", "r1", "--json");
        assertThat(new ObjectMapper().readTree(again.stdout()).path("outcome").asText())
                .isEqualTo("declared lost before");
        await(
                "that the server waits for an empty disk",
                run -> run.stdout().contains("waits for an empty disk"),
                "list");

        start(1);
        awaitMember("r1", 2);
        assertThat(member("r1").path("lostDisks").path(0).asText()).isEqualTo(lost);
        Captured audit =
                Captured.run(
                        "registry",
                        "audit",
                        "--servers",
                        PEERS.get(0).service().toString(),
                        "--timeout",
                        "60s");
        assertThat(audit.stdout()).contains("members", "is lost for ever; a blank one is awaited");
    }
}
