package photon.cli.registry;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import photon.cli.Captured;
import photon.core.rpc.HostPort;
import photon.core.rpc.LoopbackPorts;
import photon.core.testing.Await;
import photon.core.testing.Together;
import photon.core.time.SystemClock;
import photon.idregistry.leaders.PreferredLeaderBalancer;
import photon.idregistry.raft.RaftTuning;
import photon.idregistry.server.RegistryServer;
import photon.idregistry.server.config.RegistryServerConfig;

/** {@code photon registry transfer} with a registry of three real servers. */
@Timeout(600)
@Tag("slow")
class RegistryTransferTest {
    private static final int SERVERS = 3;

    @TempDir static Path root;

    private static final Duration NEVER = Duration.ofHours(1);
    private static final List<RegistryServerConfig.Peer> PEERS = new ArrayList<>();
    private static final ConcurrentMap<Integer, RegistryServer> RUNNING = new ConcurrentHashMap<>();
    private static final Queue<String> BUGS = new ConcurrentLinkedQueue<>();

    @BeforeAll
    static void start() throws IOException {
        List<Integer> ports = LoopbackPorts.choose(2 * SERVERS, new Random());
        for (int n = 0; n < SERVERS; n++) {
            PEERS.add(
                    new RegistryServerConfig.Peer(
                            "r" + n,
                            new HostPort("127.0.0.1", ports.get(2 * n)),
                            new HostPort("127.0.0.1", ports.get(2 * n + 1))));
        }
        Together.run(SERVERS, RegistryTransferTest::start);
    }

    private static void start(int n) {
        RUNNING.put(
                n,
                RegistryServer.start(
                        RegistryServerConfig.of("r" + n, PEERS, root.resolve("r" + n))
                                .with(
                                        RaftTuning.LAN.withElection(
                                                Duration.ofSeconds(5), Duration.ofSeconds(10)))
                                // Nobody moves leadership but this test.
                                .with(new PreferredLeaderBalancer.Pace(NEVER, NEVER, NEVER)),
                        new SystemClock(Duration.ofMillis(250)),
                        (where, bug) -> BUGS.add(where + ": " + bug)));
    }

    @AfterAll
    static void stop() {
        RUNNING.values().parallelStream().forEach(RegistryServer::close);
        assertThat(BUGS).isEmpty();
    }

    private static Captured photon(String verb, String... more) {
        List<String> args =
                new ArrayList<>(
                        List.of(
                                "registry",
                                verb,
                                "--servers",
                                PEERS.stream()
                                        .map(peer -> peer.service().toString())
                                        .collect(Collectors.joining(",")),
                                "--timeout",
                                "60s"));
        args.addAll(List.of(more));
        return Captured.run(args.toArray(String[]::new));
    }

    private static JsonNode json(Captured run) throws IOException {
        return new ObjectMapper().readTree(run.stdout());
    }

    /** Waits until somebody leads the control group, and all follow. */
    private static int leader() throws Exception {
        int[] found = {-1};
        Await.until(
                Duration.ofMinutes(2),
                "a leader that all follow",
                () -> photon("status").stdout(),
                () -> {
                    JsonNode group = json(photon("status", "-o", "json")).path("groups").path(0);
                    String leader = group.path("leader").asText("");
                    if (!leader.startsWith("r")) {
                        return false;
                    }
                    found[0] = Integer.parseInt(leader.substring(1));
                    return Stream.of("r0", "r1", "r2")
                            .filter(name -> !name.equals(leader))
                            .filter(
                                    name ->
                                            RUNNING.containsKey(
                                                    Integer.parseInt(name.substring(1))))
                            .allMatch(
                                    name ->
                                            photon("transfer", "control", "--to", name, "--dry-run")
                                                            .status()
                                                    == 0);
                });
        return found[0];
    }

    /**
     * Asks until it is done: a follower that is slow for a moment is given nothing. That it is
     * there already is an answer only if nobody could say so before.
     */
    private static void done(String... transfer) throws Exception {
        List<String> told = new ArrayList<>();
        Await.until(
                Duration.ofMinutes(2),
                "a transfer",
                told::toString,
                () -> {
                    Captured run = photon("transfer", transfer);
                    told.add(run.stdout());
                    return run.status() == 0;
                });
        String last = told.get(told.size() - 1);
        boolean unknown = told.stream().anyMatch(output -> output.contains("may have moved"));
        assertThat(last.contains("done") || unknown).as(told.toString()).isTrue();
    }

    @Test
    void leadershipGoesWhereItIsWantedAndAwayFromWhereItIsNot() throws Exception {
        int before = leader();
        String to = "r" + (before + 1) % SERVERS;
        Captured planned = photon("transfer", "control", "--to", to, "--dry-run", "--json");
        assertThat(planned.status()).as(planned.toString()).isZero();
        assertThat(json(planned).path("moves").path(0).toString())
                .isEqualTo(
                        "{\"group\":\"control\",\"from\":\"r%d\",\"to\":\"%s\",\"done\":true,\"text\":\"would be moved\"}"
                                .formatted(before, to));
        assertThat(leader()).as("it was a dry run").isEqualTo(before);

        done("control", "--to", to);
        assertThat("r" + leader()).isEqualTo(to);
        assertThat(photon("transfer", "--all", "--to", to).stdout()).contains("already there");

        done("--away-from", to);
        assertThat("r" + leader()).isNotEqualTo(to);
        assertThat(photon("transfer", "--away-from", to).stdout())
                .isEqualTo("%s leads no group%n".formatted(to));
    }

    @Test
    void oneThatIsDownIsNotGivenAnything() throws Exception {
        int leader = leader();
        int down = (leader + 1) % SERVERS;
        java.util.Objects.requireNonNull(RUNNING.remove(down)).close();
        try {
            Await.until(
                    Duration.ofMinutes(2),
                    "a refusal",
                    () -> photon("status").stdout(),
                    () -> {
                        Captured run = photon("transfer", "control", "--to", "r" + down);
                        return run.status() == 1
                                && run.stdout()
                                        .contains("NOT DONE: r" + down + " has not answered");
                    });
            int goesOn = leader();
            assertThat(photon("transfer", "control", "--to", "r" + down).status()).isEqualTo(1);
            assertThat(leader()).as("it goes on").isEqualTo(goesOn);
        } finally {
            start(down);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "control --to r9 | 1 | there is no server r9: expected one of r0, r1, r2",
                "ads/1/0 --to r1 | 1 | there is no group ads/1/0: expected control",
                "control | 2 | --to",
                "--to r1 | 2 | GROUP",
                "--away-from r1 --to r2 | 2 | --to",
                "control --all --to r1 | 2 | expected only one match",
                "control --to r1 --hold 2d | 2 | --hold is '2d': expected up to 1d",
                "control --to r1 --hold soon | 2 | --hold is 'soon'",
                "control --to r1 --fast | 2 | --fast",
            })
    void whatIsWrongIsRefused(String options, int status, String message) {
        Captured run = photon("transfer", options.split(" ", -1));
        assertThat(run.status()).as(run.toString()).isEqualTo(status);
        assertThat(run.stderr()).contains(message).doesNotContain("\tat ");
    }
}
