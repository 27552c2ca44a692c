package photon.idregistry.leaders;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import photon.idregistry.leaders.PreferredLeaderBalancer.Seen;

/** The server r0 of three; groups are named by their place. */
class PreferredLeaderBalancerTest {
    private static final PreferredLeaderBalancer.Pace PACE =
            new PreferredLeaderBalancer.Pace(
                    Duration.ofSeconds(10), Duration.ofSeconds(2), Duration.ofSeconds(1));

    private final List<Seen<Integer>> groups = new ArrayList<>();
    private PreferredLeaderBalancer<Integer> leaderBalancing = of("r0", 1, 1, 1);

    private static PreferredLeaderBalancer<Integer> of(String self, int... weights) {
        List<Placement.Server> servers = new ArrayList<>();
        for (int i = 0; i < weights.length; i++) {
            servers.add(new Placement.Server("r" + i, weights[i]));
        }
        return new PreferredLeaderBalancer<>(self, new Placement(servers), PACE);
    }

    private static Seen<Integer> seen(int place, String leader, long term) {
        return new Seen<>(place, place, leader, term, true, false);
    }

    private Optional<Integer> at(long seconds) {
        return leaderBalancing.look(TimeUnit.SECONDS.toNanos(seconds), groups);
    }

    private void endedAt(long seconds) {
        leaderBalancing.ended(TimeUnit.SECONDS.toNanos(seconds));
    }

    @Test
    void aGroupIsFetchedHomeWhenItHasBeenCalmThere() {
        groups.add(seen(0, "r1", 5));
        assertThat(at(100)).isEmpty();
        assertThat(at(109)).isEmpty();
        assertThat(at(110)).hasValue(0);
        assertThat(at(111)).as("under way").isEmpty();
    }

    @Test
    void whatIsAtHomeElsewhereOrHereOrHasNoLeaderIsLeftAlone() {
        groups.add(seen(1, "r2", 5));
        groups.add(seen(0, "r0", 5));
        groups.add(new Seen<>(3, 3, null, 5, true, false));
        assertThat(at(100)).isEmpty();
        assertThat(at(1_000)).isEmpty();
    }

    @Test
    void everyElectionAndEveryMomentBehindTheOthersBeginsTheWaitAnew() {
        groups.add(seen(0, "r1", 5));
        at(100);
        groups.set(0, seen(0, "r1", 6));
        assertThat(at(109)).isEmpty();
        assertThat(at(118)).isEmpty();
        groups.set(0, new Seen<>(0, 0, "r1", 6, false, false));
        assertThat(at(119)).isEmpty();
        groups.set(0, seen(0, "r1", 6));
        assertThat(at(128)).isEmpty();
        groups.set(0, seen(0, "r2", 6));
        assertThat(at(130)).isEmpty();
        assertThat(at(140)).hasValue(0);
    }

    @Test
    void oneGroupAfterAnother() {
        groups.add(seen(0, "r1", 5));
        groups.add(seen(3, "r1", 5));
        at(100);
        assertThat(at(110)).hasValue(0);
        assertThat(at(120)).as("the first has not ended").isEmpty();
        groups.set(0, seen(0, "r0", 6));
        endedAt(120);
        assertThat(at(121)).isEmpty();
        assertThat(at(122)).hasValue(3);
    }

    @Test
    void aFetchInVainIsTriedAgainOnlyAfterAWhile() {
        groups.add(seen(0, "r1", 5));
        at(100);
        assertThat(at(110)).hasValue(0);
        endedAt(113);
        assertThat(at(122)).isEmpty();
        assertThat(at(123)).hasValue(0);
    }

    @Test
    void whatIsHeldIsNotFetchedBeforeItsTime() {
        groups.add(seen(0, "r1", 5));
        groups.add(seen(3, "r1", 5));
        at(100);
        leaderBalancing.hold(TimeUnit.SECONDS.toNanos(100), Duration.ofSeconds(60), 0);
        assertThat(at(110)).hasValue(3);
        groups.set(1, seen(3, "r0", 6));
        endedAt(111);
        assertThat(at(159)).isEmpty();
        leaderBalancing.hold(TimeUnit.SECONDS.toNanos(159), Duration.ofSeconds(10));
        assertThat(at(168)).isEmpty();
        assertThat(at(169)).hasValue(0);
    }

    @Test
    void aGroupThatWasJustMadeComesHomeAtOnceAndIsThenLikeAnyOther() {
        groups.add(new Seen<>(0, 0, "r1", 1, true, true));
        at(100);
        assertThat(at(101)).hasValue(0);
        groups.set(0, new Seen<>(0, 0, "r0", 2, true, true));
        endedAt(102);
        assertThat(at(103)).isEmpty();
        assertThat(at(104)).isEmpty();
        groups.set(0, new Seen<>(0, 0, "r1", 3, true, true));
        at(110);
        assertThat(at(119)).isEmpty();
        assertThat(at(120)).hasValue(0);
    }

    @Test
    void aGroupThatWasMadeLongAgoIsLikeAnyOther() {
        groups.add(new Seen<>(0, 0, null, 1, true, true));
        at(100);
        groups.set(0, new Seen<>(0, 0, "r1", 2, true, true));
        at(170);
        assertThat(at(171)).isEmpty();
        assertThat(at(180)).hasValue(0);
    }

    @Test
    void oneThatShouldNotLeadIsRelievedByTheNextThatIsThere() {
        groups.add(seen(0, "r2", 5));
        leaderBalancing = of("r1", 1, 1, 0);
        at(100);
        assertThat(at(119)).as("the preferred leader comes first").isEmpty();
        assertThat(at(120)).hasValue(0);
        leaderBalancing = of("r1", 1, 1, 1);
        at(200);
        assertThat(at(1_000)).as("r2 may lead as well as r1").isEmpty();
        leaderBalancing = of("r2", 1, 1, 0);
        groups.set(0, seen(0, "r0", 5));
        at(2_000);
        assertThat(at(3_000)).isEmpty();
    }

    @Test
    void whereOtherServersAreMembersOtherGroupsAreAtHome() {
        groups.add(seen(0, "r1", 5));
        groups.add(seen(2, "r1", 5));
        at(100);
        leaderBalancing.place(
                new Placement(
                        List.of(new Placement.Server("r0", 1), new Placement.Server("r1", 1))));
        assertThat(at(110)).hasValue(0);
        groups.set(0, seen(0, "r0", 6));
        endedAt(111);
        assertThat(at(120)).hasValue(2);
        endedAt(121);
        // It was removed itself.
        leaderBalancing.place(new Placement(List.of(new Placement.Server("r1", 1))));
        assertThat(at(1_000)).isEmpty();
    }
}
