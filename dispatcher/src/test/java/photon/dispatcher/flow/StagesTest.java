package photon.dispatcher.flow;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.SortedMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import photon.proto.v1.JoinResult.Status;

class StagesTest {
    private World world;

    @BeforeEach
    void make() throws IOException {
        world = new World(7);
    }

    private SortedMap<Long, Long> stage(String name) {
        return requireNonNull(world.flow.stages().get(name));
    }

    private static long count(Map<Long, Long> delays) {
        return delays.values().stream().mapToLong(Long::longValue).sum();
    }

    @Test
    void eachStageIsMeasuredOfWhatIsJoinedAtItsFirstTry() throws IOException {
        world.joiner.delay = Duration.ofMillis(40);
        world.wallBoundMicros = 250_000;
        world.advance(50);
        world.click("a", 10);
        world.advance(1_000);

        assertThat(world.flow.stages().keySet()).containsExactly("read", "admit", "lookup", "join");
        assertThat(count(stage("read"))).isEqualTo(10);
        assertThat(count(stage("admit"))).isEqualTo(10);
        assertThat(count(stage("lookup"))).isEqualTo(10);
        assertThat(count(stage("join"))).isEqualTo(10);
        assertThat(stage("read").lastKey()).as("a poll finds it").isBetween(1_000L, 1_000_000L);
        assertThat(stage("join").firstKey()).as("40 ms at the joiner").isBetween(40_000L, 60_000L);
        assertThat(stage("lookup").lastKey()).isLessThan(40_000L);
    }

    @Test
    void whatHadToWaitForItsPrimaryEventTellsNothingOfTheStages() throws IOException {
        boolean[] primaryIsThere = {false};
        world.joiner.answers =
                item -> primaryIsThere[0] ? Status.JOINED : Status.WAITING_FOR_PRIMARY;
        world.click("a", 5);
        world.advance(1_000);
        primaryIsThere[0] = true;
        world.advance(5_000);

        assertThat(world.joiner.joined).hasSize(5);
        assertThat(world.flow.stages().values()).allSatisfy(d -> assertThat(d).isEmpty());
    }
}
