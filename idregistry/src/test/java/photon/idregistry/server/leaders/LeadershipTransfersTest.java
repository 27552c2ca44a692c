package photon.idregistry.server.leaders;

import static org.assertj.core.api.Assertions.assertThat;
import static photon.idregistry.server.TestClient.id;
import static photon.idregistry.server.TestRegistry.await;
import static photon.registry.api.RegistryClient.CommitResult.ACCEPTED;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import photon.core.id.CommitToken;
import photon.core.id.Incarnation;
import photon.idregistry.leaders.PreferredLeaderBalancer;
import photon.idregistry.raft.RaftTuning;
import photon.idregistry.server.TestClient;
import photon.idregistry.server.TestRegistry;
import photon.registry.api.RegistryClient.Commit;

/** Where leadership is when servers go and come. */
@Timeout(600)
class LeadershipTransfersTest {
    /** No election ends within the time that a hand-over takes at most. */
    private static final RaftTuning SLOW_ELECTIONS =
            RaftTuning.LAN.withElection(Duration.ofSeconds(8), Duration.ofSeconds(16));

    @TempDir Path root;

    /** Group to the server that leads it, of those that any server says to lead. */
    private static Map<String, Integer> leaders(TestRegistry registry) {
        Map<String, Integer> leaders = new HashMap<>();
        for (int n = 0; n < TestRegistry.SERVERS; n++) {
            int server = n;
            registry.statsOf(n)
                    .forEach(
                            (group, leads) -> {
                                if (leads) {
                                    leaders.put(group, server);
                                }
                            });
        }
        return leaders;
    }

    @Test
    void aServerThatIsToldToEndHasGivenEverythingAwayBefore() {
        try (TestRegistry registry = new TestRegistry(root, SLOW_ELECTIONS)) {
            registry.startAll();
            try (TestClient client = new TestClient(registry, "p", 4)) {
                Incarnation east = client.register("east/joiner-0", "01");
                int sequence = 0;
                int handedOver = 0;
                // A machine that stands still for a while may cause an election meanwhile.
                for (int round = 0; handedOver < 2; round++) {
                    assertThat(round)
                            .as("rounds, of them with all given away: %s", handedOver)
                            .isLessThan(6);
                    await(() -> leaders(registry).size() == 5);
                    int away = registry.leader("control");
                    registry.server(away).handOver();
                    boolean leadsNothing = !registry.statsOf(away).containsValue(true);
                    handedOver += leadsNothing ? 1 : 0;
                    registry.end(away);
                    for (int n = 0; n < 40; n++) {
                        int number = ++sequence;
                        assertThat(
                                        client.commit(
                                                new Commit(
                                                        id(number), CommitToken.of(east, number))))
                                .isEqualTo(List.of(ACCEPTED));
                    }
                    registry.start(away);
                }
            }
            assertThat(registry.bugs).isEmpty();
        }
    }

    @Test
    @Tag("slow")
    void leadershipComesHomeAfterARestart() {
        try (TestRegistry registry = new TestRegistry(root)) {
            registry.leaderBalancing =
                    new PreferredLeaderBalancer.Pace(
                            Duration.ofMillis(300), Duration.ofMillis(50), Duration.ofMillis(50));
            registry.startAll();
            try (TestClient client = new TestClient(registry, "p", 4)) {
                Map<String, Integer> home = new HashMap<>();
                home.put("control", 0);
                for (int shard = 0; shard < 4; shard++) {
                    home.put(client.pipeline + "/1/" + shard, shard % TestRegistry.SERVERS);
                }
                await(() -> leaders(registry).equals(home));
                // Nothing is committed: an answer that is lost when a connection ends is not made
                // up
                // for by the next.
                for (int round = 0; round < 3; round++) {
                    int away = round;
                    registry.stop(away);
                    await(
                            () ->
                                    leaders(registry).size() == 5
                                            && !leaders(registry).containsValue(away));
                    registry.start(away);
                    await(() -> leaders(registry).equals(home));
                }
            }
            assertThat(registry.bugs).isEmpty();
        }
    }
}
