package photon.verifier.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static photon.verifier.repair.RepairTest.SMALL;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.registry.api.ControlClient.IncarnationState;

/** More repairs wait than may keep the logs open. */
final class ManyWaitingRepairsTest {
    private static final int MANY = 2 * LookPlaces.KEPT_MAX;

    /** Of those that keep them, the one whose turn it is, and those that do not wait. */
    private static final int OPEN_MAX = LookPlaces.KEPT_MAX + 1 + SMALL.repairsAtOnce();

    private final RepairWorld world = new RepairWorld();
    private final List<Incarnation> dead = new ArrayList<>();
    private final List<EventId> lost = new ArrayList<>();
    private RepairStatus status = RepairStatus.NOTHING_KNOWN;

    /** Each took more ids than one repair looks for in one pass. */
    @BeforeEach
    void manyJoinersDied() {
        for (int n = 0; n < MANY; n++) {
            Incarnation incarnation = new Incarnation(10 + n, 1);
            dead.add(incarnation);
            world.registry.add(incarnation, "east/joiner-" + n, true, "out-1");
            for (int i = 0; i <= SMALL.lostIdsMax(); i++) {
                int number = 100 * n + i;
                world.registry.hold(RepairWorld.id(number), RepairWorld.token(number, incarnation));
                lost.add(RepairWorld.id(number));
            }
        }
    }

    private void start() {
        world.start(SMALL, changed -> status = changed);
    }

    private void allAreRepaired() {
        assertThat(dead)
                .allSatisfy(
                        one -> assertThat(world.stateOf(one)).isEqualTo(IncarnationState.REPAIRED));
        assertThat(world.logs.openNow()).isZero();
    }

    @Test
    void aFewKeepTheLogsOpenAndAllGoOnWhenTheLogsAreBack() {
        world.logs.removeDirectory("/in");
        start();
        world.loop.advance(Duration.ofSeconds(30));
        assertThat(status.waiting()).hasSize(MANY);
        assertThat(world.logs.openNow()).isEqualTo(LookPlaces.KEPT_MAX);
        assertThat(world.ledger).isEmpty();
        lost.forEach(id -> world.logs.append("log-0", id));
        world.logs.bringBackDirectory("/in");
        world.loop.advance(Duration.ofSeconds(60));
        allAreRepaired();
        assertThat(world.journalIds()).containsExactlyInAnyOrderElementsOf(lost);
        assertThat(world.ledger).isEmpty();
        assertThat(world.logs.mostOpen()).isLessThanOrEqualTo(OPEN_MAX);
    }

    @Test
    void whatNoneFindsIsWrittenOffAfterTheTimeByEach() {
        start();
        world.loop.advance(RepairWorld.GIVE_UP_AFTER.minusMillis(500));
        assertThat(world.ledger).isEmpty();
        world.loop.advance(Duration.ofSeconds(60));
        allAreRepaired();
        assertThat(world.ledger).hasSize(lost.size());
        assertThat(world.logs.mostOpen()).isLessThanOrEqualTo(OPEN_MAX);
    }

    @Test
    void onesThatEndLeaveTheirPlaceToOthers() {
        LookPlaces places = new LookPlaces(1);
        List<String> opened = new ArrayList<>();
        assertThat(places.keeps("a")).isTrue();
        assertThat(places.keeps("b")).isFalse();
        for (String who : List.of("b", "c", "d", "e")) {
            places.ask(who, () -> opened.add(who));
        }
        assertThat(opened).as("one at a time").containsExactly("b");
        assertThat(places.keeps("b")).isFalse();
        assertThat(opened).containsExactly("b", "c");
        places.leave("d");
        places.leave("c");
        assertThat(opened).containsExactly("b", "c", "e");
        places.ask("b", () -> opened.add("b"));
        places.leave("a");
        assertThat(opened).containsExactly("b", "c", "e", "b");
        assertThat(places.keeps("b")).isTrue();
    }
}
