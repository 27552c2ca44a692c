package photon.dispatcher.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import photon.proto.v1.JoinItem;
import photon.proto.v1.JoinResult.Status;
import photon.storage.journal.JournalRow;

/** A datacenter with two joiners: who gets what, and what becomes of one's share without it. */
class SeveralJoinersTest {
    private World world;

    @BeforeEach
    void make() throws IOException {
        world = new World(7);
        world.stop();
        world.joinerCount = 2;
        world.limits = World.limits(1_000, 1_000, 5);
        world.start();
    }

    private static List<String> ids(FakeJoiner joiner) {
        return joiner.received.stream().map(item -> FakeJoiner.event(item).idText()).toList();
    }

    @Test
    void bothHaveTheirShare() throws IOException {
        List<String> ids = world.click("a", 5_000);
        world.advance(5_000);
        assertThat(world.joiner.joined).containsAll(ids);
        assertThat(world.joiner.received.size()).isBetween(2_000, 3_000);
        assertThat(world.second.received.size()).isEqualTo(5_000 - world.joiner.received.size());
    }

    @Test
    void theSlowerOneGetsLess() throws IOException {
        world.second.delay = Duration.ofMillis(300);
        List<String> ids = world.click("a", 10_000);
        world.advance(20_000);
        assertThat(world.joiner.joined).containsAll(ids);
        assertThat(world.second.received.size()).isBetween(100, world.joiner.received.size() / 2);
    }

    @Test
    void whatABrokenJoinerDidNotAnswerGoesToTheOtherAtOnceAsAnOpenAttempt() throws IOException {
        world.joiner.delay = Duration.ofDays(1);
        world.second.answers = item -> Status.WAITING_FOR_PRIMARY;
        List<String> ids = world.click("a", 600);
        world.advance(200);
        List<String> stuck = ids(world.joiner);
        assertThat(stuck).isNotEmpty();
        world.joiner.away = true;
        world.joiner.breakSession();
        world.advance(10);
        assertThat(ids(world.second)).as("10 ms later").containsAll(stuck);
        assertThat(world.second.received)
                .filteredOn(JoinItem::getAttemptOpen)
                .as("which the joiner is told")
                .extracting(item -> FakeJoiner.event(item).idText())
                .containsExactlyInAnyOrderElementsOf(stuck);
        world.advance(90);
        assertThat(world.rows()).hasSize(ids.size());
        assertThat(world.rows())
                .filteredOn(JournalRow::attemptOpen)
                .extracting(row -> row.event().idText())
                .containsExactlyInAnyOrderElementsOf(stuck);
    }

    @Test
    void oneThatStaysAwayCostsFewEventsADetourAndIsUsedAgainOnceItIsBack() throws IOException {
        world.joiner.away = true;
        List<String> first = world.click("a", 5_000);
        world.advance(10_000);
        assertThat(world.joiner.joined).containsAll(first);
        assertThat(world.joiner.received).isEmpty();
        assertThat(world.rows()).isEmpty();
        world.joiner.away = false;
        world.advance(6_000);
        List<String> second = world.click("b", 5_000);
        world.advance(5_000);
        assertThat(world.joiner.joined).containsAll(second);
        assertThat(world.joiner.received.size()).isBetween(1_500, 3_500);
    }

    @Test
    void oneThatStartsOverSlowsOnlyItsOwnSender() throws IOException {
        world.joiner.answers = item -> Status.ABANDONED;
        List<String> ids = world.click("a", 3_000);
        world.advance(1_500);
        assertThat(world.joiner.joined).containsAll(ids);
        assertThat(world.rows()).isEmpty();
        assertThat(world.joiner.received.size()).as("asked again and again").isLessThan(1_200);
        world.joiner.answers = item -> Status.JOINED;
        world.advance(6_000);
        int before = world.joiner.received.size();
        world.click("b", 3_000);
        world.advance(3_000);
        assertThat(world.joiner.received.size() - before).isBetween(1_000, 2_000);
    }

    @Test
    void whileBothAreInTroubleNothingIsLostAndThenBothGoOn() throws IOException {
        world.joiner.answers = item -> Status.RETRY_ALL;
        world.second.away = true;
        List<String> ids = world.click("a", 2_000);
        for (int i = 0; i < 60; i++) {
            world.advance(1_000);
            assertThat(world.forgotten()).isEmpty();
        }
        assertThat(world.joiner.joined).isEmpty();
        assertThat(world.entries()).isEmpty();
        assertThat(world.rows()).allSatisfy(row -> assertThat(row.attempts()).isZero());
        assertThat(world.joiner.received.size()).as("not one retry loop each").isLessThan(60_000);
        world.joiner.answers = item -> Status.JOINED;
        world.second.away = false;
        world.advance(40_000);
        assertThat(world.joiner.joined).containsAll(ids);
        int before = world.joiner.received.size();
        world.click("b", 2_000);
        world.advance(3_000);
        assertThat(world.joiner.received.size() - before).isBetween(500, 1_500);
    }

    @Test
    void nothingGrowsBeyondItsBoundWhileOneIsSilent() throws IOException {
        world.stop();
        world.limits = World.limits(300, 64, 5);
        world.start();
        world.joiner.delay = Duration.ofDays(1);
        world.click("a", 3_000);
        for (int i = 0; i < 100; i++) {
            world.advance(100);
            assertThat(world.joiner.unanswered + world.second.unanswered).isLessThanOrEqualTo(64);
        }
        world.joiner.delay = Duration.ofMillis(3);
        world.joiner.breakSession();
        world.advance(10_000);
        assertThat(world.joiner.joined).hasSize(3_000);
    }
}
