package photon.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import photon.demo.DemoEvent.Kind;

class LeaderWatchTest {
    private static final String SHARD = "demo/1/1";
    private final LeaderWatch watch =
            new LeaderWatch(group -> group.equals(SHARD) ? "west/r3" : "");

    @Test
    void aMoveIsToldWithTheTimeSinceTheOldLeaderWasSeen() {
        assertThat(watch.observe(0, Map.of(SHARD, "east/r0"))).isEmpty();
        assertThat(watch.observe(1_000, Map.of(SHARD, "east/r0"))).isEmpty();
        assertThat(watch.observe(1_200, Map.of(SHARD, ""))).isEmpty();
        assertThat(watch.observe(1_900, Map.of(SHARD, "west/r1")))
                .containsExactly(
                        new DemoEvent(
                                1_900, "leader of shard 1 moved to west in 0.9 s", Kind.LEADER));
        assertThat(watch.leaderChanges()).isEqualTo(1);
        assertThat(watch.observe(2_100, Map.of(SHARD, "west/r1"))).isEmpty();
        assertThat(watch.leaderChanges()).isEqualTo(1);
    }

    @Test
    void aMoveToWhereTheGroupIsToBeLedSaysSo() {
        watch.observe(0, Map.of(SHARD, "east/r0"));
        assertThat(watch.observe(500, Map.of(SHARD, "west/r3")))
                .extracting(DemoEvent::text)
                .containsExactly("leader of shard 1 moved to west, its home, in 0.5 s");
    }

    @Test
    void theSameLeaderAgainIsNoChange() {
        watch.observe(0, Map.of(SHARD, "east/r0"));
        watch.observe(100, Map.of());
        watch.observe(200, Map.of(SHARD, ""));
        assertThat(watch.observe(300, Map.of(SHARD, "east/r0"))).isEmpty();
        assertThat(watch.leaderChanges()).isZero();
    }

    @Test
    void everyGroupIsWatchedTheControlGroupToo() {
        watch.observe(0, Map.of("control", "east/r0", "demo/1/0", "east/r0", SHARD, "west/r1"));
        assertThat(
                        watch.observe(
                                500,
                                Map.of(
                                        "control",
                                        "west/r1",
                                        "demo/1/0",
                                        "east/r2",
                                        SHARD,
                                        "west/r1")))
                .extracting(DemoEvent::text)
                .containsExactly(
                        "leader of control group moved to west in 0.5 s",
                        "leader of shard 0 moved within east in 0.5 s");
        assertThat(watch.leaderChanges()).isEqualTo(2);
    }

    @Test
    void ofTwoThatSayTheyLeadTheKnownOneIsBelieved() {
        assertThat(watch.choose(SHARD, List.of())).isEmpty();
        assertThat(watch.choose(SHARD, List.of("west/r1", "east/r0"))).isEqualTo("east/r0");
        watch.observe(0, Map.of(SHARD, "west/r1"));
        assertThat(watch.choose(SHARD, List.of("east/r0", "west/r1"))).isEqualTo("west/r1");
        assertThat(watch.choose(SHARD, List.of("east/r0"))).isEqualTo("east/r0");
    }
}
