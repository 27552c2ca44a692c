package photon.idregistry.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.UserKey;
import photon.proto.v1.BoundaryStatus;
import photon.proto.v1.DescribeServerResponse;
import photon.proto.v1.ReplicaStatus;
import photon.proto.v1.ServerClock;
import photon.registry.api.RegistryClient.Commit;
import photon.registry.api.RegistryClient.CommitResult;

/** Real servers move the boundary by their clocks, of which one is an hour off. */
@Timeout(420)
class RegistryBoundaryTest {
    /** Clocks are asked for every 15 s, and an answer may be lost. */
    private static final int SECONDS_MAX = 120;

    private static final long HOUR = TimeUnit.HOURS.toMicros(1);

    @TempDir Path directory;

    private static EventId id(long micros) {
        return EventId.ofUser(micros, UserKey.of(List.of("id")));
    }

    private static DescribeServerResponse describe(TestRegistry registry, int n) {
        return registry.server(n).describe().orTimeout(60, TimeUnit.SECONDS).join();
    }

    private static boolean allStandAt(TestRegistry registry, long micros, int... servers) {
        for (int n : servers) {
            List<ReplicaStatus> shards =
                    describe(registry, n).getReplicasList().stream()
                            .filter(ReplicaStatus::hasShard)
                            .toList();
            if (shards.isEmpty()
                    || shards.stream()
                            .anyMatch(shard -> shard.getState().getBoundaryMicros() != micros)) {
                return false;
            }
        }
        return true;
    }

    @Test
    void whatMostClocksHavePassedLessTheRetentionIsTooOld() {
        try (TestRegistry registry = new TestRegistry(directory)) {
            registry.nowMicros.set(1, TestRegistry.NOW_MICROS + HOUR);
            registry.startAll();
            try (TestClient client = new TestClient(registry, "p", 1, Duration.ofHours(2))) {
                long boundary = TestRegistry.NOW_MICROS - 5 - 2 * HOUR;
                TestRegistry.await(() -> allStandAt(registry, boundary, 0, 1, 2), SECONDS_MAX);
                assertThat(
                                client.commit(
                                        new Commit(id(boundary - 1), new CommitToken(1, 1, 1)),
                                        new Commit(id(boundary), new CommitToken(1, 1, 2))))
                        .containsExactly(CommitResult.ID_TOO_OLD, CommitResult.ACCEPTED);

                ServerClock clock = describe(registry, 1).getClock();
                assertThat(clock.getLatestMicros()).isEqualTo(TestRegistry.NOW_MICROS + HOUR);
                assertThat(clock.getSynchronised()).isTrue();
                int leader = registry.leader(client.pipeline + "/1/0");
                // Two of them were enough.
                TestRegistry.await(
                        () -> describe(registry, leader).getBoundary().getVotes() == 3,
                        SECONDS_MAX);
                BoundaryStatus status = describe(registry, leader).getBoundary();
                assertThat(status.getNeeded()).isEqualTo(2);
                assertThat(status.getPassedMicros()).isEqualTo(TestRegistry.NOW_MICROS - 5);
                assertThat(status.getTrouble()).isEmpty();

                // Two clocks that are left are a majority, if both are right; a new leader asks.
                int other = (leader + 1) % TestRegistry.SERVERS;
                int third = (leader + 2) % TestRegistry.SERVERS;
                registry.nowMicros.set(other, TestRegistry.NOW_MICROS + HOUR);
                registry.nowMicros.set(third, TestRegistry.NOW_MICROS + 2 * HOUR);
                registry.stop(leader);
                TestRegistry.await(
                        () -> allStandAt(registry, boundary + HOUR, other, third), SECONDS_MAX);
            }
            assertThat(registry.bugs).isEmpty();
        }
    }
}
