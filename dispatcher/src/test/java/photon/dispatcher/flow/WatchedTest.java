package photon.dispatcher.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import photon.core.id.CommitToken;
import photon.dispatcher.rules.RetryPolicy;
import photon.proto.v1.JoinItem;
import photon.proto.v1.JoinResult.Status;
import photon.storage.journal.JournalRow;

/** Events that were joined without their primary event, which comes later. */
class WatchedTest {
    private World world;

    @BeforeEach
    void start() throws IOException {
        world = new World(7);
        world.joiner.without = true;
        world.joiner.answers = WatchedTest::looksInVain;
    }

    private static Status looksInVain(JoinItem item) {
        return item.getJoinedWithout() ? Status.WAITING_FOR_PRIMARY : Status.JOINED;
    }

    private static Status finds(JoinItem item) {
        return item.getJoinedWithout() ? Status.PRIMARY_CAME : Status.JOINED;
    }

    private List<Integer> priorities() throws IOException {
        return world.rows().stream().map(JournalRow::priority).distinct().toList();
    }

    @Test
    void aPrimaryEventThatComesLateIsCountedOnce() throws IOException {
        world.click("a", 10);
        world.advance(10_000);
        assertThat(world.status().joined()).isEqualTo(10);
        assertThat(world.status().watchedRows()).isEqualTo(10);
        assertThat(world.status().waitingRows()).isZero();
        assertThat(world.status().unsettled()).as("it is joined").isZero();
        assertThat(world.status().latePrimaries()).isZero();
        world.joiner.answers = WatchedTest::finds;
        world.eventStore.allCome();
        world.advance(100);
        assertThat(world.status().woken()).isEqualTo(10);
        assertThat(world.status().latePrimaries()).isEqualTo(10);
        world.advance(10_000);
        assertThat(world.rows()).isEmpty();
        assertThat(world.status().watchedRows()).isZero();
        assertThat(world.status().latePrimaries()).isEqualTo(10);
        assertThat(world.status().joined()).as("not joined again").isEqualTo(10);
    }

    @Test
    void anUpgradeCountsAsALatePrimaryEvent() throws IOException {
        world.click("a", 10);
        world.advance(1_000);
        world.joiner.answers =
                item -> item.getJoinedWithout() ? Status.UPGRADED : Status.JOINED_ELSEWHERE;
        world.eventStore.allCome();
        world.advance(100);
        assertThat(world.status().latePrimaries()).isEqualTo(10);
        assertThat(world.status().joined()).isEqualTo(10);
        assertThat(world.rows()).isEmpty();
    }

    /** The datacenter that joined it may be gone, or its answer was lost. */
    @Test
    void whatAnotherDatacenterHasJoinedWithoutIsWatchedHereToo() throws IOException {
        world.joiner.answers = item -> Status.WAITING_FOR_PRIMARY;
        world.click("a", 10);
        world.advance(1_000);
        world.rows().forEach(row -> world.registry.unmatched.add(row.key().id()));
        world.advance(10_000);
        assertThat(world.rows()).hasSize(10);
        assertThat(priorities()).containsExactly(JournalRow.WATCHED_PRIORITY);
        assertThat(world.status().alreadyJoined()).isEqualTo(10);
        assertThat(world.status().unsettled()).isZero();
        world.joiner.answers = item -> Status.UPGRADED;
        world.eventStore.allCome();
        world.advance(10_000);
        assertThat(world.rows()).isEmpty();
        assertThat(world.status().latePrimaries()).isEqualTo(10);
        assertThat(world.status().joined()).isZero();
    }

    /** Its primary event is there, so that a hint would come at once, again and again. */
    @Test
    void anUpgradeThatCannotBeMadeNowWaitsForItsTime() throws IOException {
        world.click("a", 1);
        world.advance(30_000);
        world.joiner.answers = item -> Status.ID_IN_FUTURE;
        world.eventStore.allCome();
        world.advance(60_000);
        int tried = world.joiner.received.size();
        world.eventStore.allCome();
        world.advance(1);
        assertThat(world.joiner.received).as("no hint is awaited").hasSize(tried);
        world.joiner.answers = item -> Status.UPGRADED;
        world.advance(60_000);
        assertThat(world.status().latePrimaries()).isEqualTo(1);
    }

    /** Its output was lost, and a row of its own has brought it back. */
    @Test
    void whatIsJoinedWithoutOnceMoreIsWatchedOn() throws IOException {
        world.joiner.answers = item -> Status.JOINED;
        world.click("a", 1);
        world.advance(30_000);
        assertThat(priorities()).containsExactly(JournalRow.WATCHED_PRIORITY);
        world.joiner.without = false;
        world.advance(60_000);
        assertThat(world.rows()).isEmpty();
    }

    @Test
    void withoutAHintItIsFoundAfterTheBackoff() throws IOException {
        world.click("a", 10);
        world.advance(1_000);
        world.joiner.answers = WatchedTest::finds;
        world.advance(10_000);
        assertThat(world.status().latePrimaries()).isEqualTo(10);
    }

    @Test
    void whatIsWatchedOutlivesARestart() throws IOException {
        world.click("a", 10);
        world.advance(1_000);
        world.stop();
        world.start();
        world.joiner.answers = WatchedTest::finds;
        world.advance(10_000);
        assertThat(world.status().latePrimaries()).isEqualTo(10);
        assertThat(world.status().joined()).isZero();
        assertThat(world.joiner.received).allMatch(JoinItem::getJoinedWithout);
    }

    /** What the local replica says of them is known: they are joined. */
    @Test
    void theRegistryIsNotAskedAboutThem() throws IOException {
        world.click("a", 10);
        world.advance(1_000);
        world.rows().forEach(row -> world.registry.known.add(row.key().id()));
        world.advance(5_000);
        assertThat(world.rows()).hasSize(10);
        assertThat(world.status().alreadyJoined()).isZero();
    }

    @Test
    void aRowThatWaitedIsFollowedByOneThatIsWatched() throws IOException {
        world.joiner.answers = item -> Status.WAITING_FOR_PRIMARY;
        world.click("a", 10);
        world.advance(1_000);
        assertThat(priorities()).containsExactly(Settler.ORDINARY_PRIORITY);
        world.joiner.answers = WatchedTest::looksInVain;
        world.advance(10_000);
        assertThat(world.rows()).hasSize(10);
        assertThat(priorities()).containsExactly(JournalRow.WATCHED_PRIORITY);
        world.joiner.answers = WatchedTest::finds;
        world.advance(10_000);
        assertThat(world.status().latePrimaries()).isEqualTo(10);
        assertThat(world.rows()).isEmpty();
    }

    @Test
    void aRepairRowIsFollowedByOneWithoutALostToken() throws IOException {
        world.joiner.answers = item -> Status.JOINED_ELSEWHERE;
        world.click("a", 1);
        world.advance(1_000);
        assertThat(world.rows()).isEmpty();
        RepairRow repair =
                new RepairRow(
                        FakeJoiner.event(world.joiner.received.get(0)), new CommitToken(3, 1, 8));
        world.joiner.answers =
                item ->
                        item.getLostToken().isEmpty() && !item.getJoinedWithout()
                                ? Status.JOINED_ELSEWHERE
                                : looksInVain(item);
        world.flow.addRepairRows(List.of(repair), () -> {});
        world.advance(10_000);
        assertThat(world.rows())
                .singleElement()
                .satisfies(
                        row -> {
                            assertThat(row.key().lostToken()).isNull();
                            assertThat(row.priority()).isEqualTo(JournalRow.WATCHED_PRIORITY);
                        });
    }

    /** An adapter may give any reason, also this one. */
    @Test
    void anAdaptersReasonMakesNoRowOneThatIsJoined() throws IOException {
        world.joiner.reason = RetryPolicy.WATCHED;
        world.joiner.answers = item -> Status.RETRY_EVENT;
        world.click("a", 10);
        world.advance(300);
        assertThat(world.rows()).hasSize(10);
        world.joiner.answers = item -> Status.JOINED;
        world.joiner.without = false;
        world.advance(10_000);
        assertThat(world.joiner.received).noneMatch(JoinItem::getJoinedWithout);
        assertThat(world.joiner.joined).hasSize(10);
        assertThat(world.rows()).isEmpty();
    }

    @Test
    void atTheAgeLimitItGoesWithoutATrace() throws IOException {
        world.click("a", 10);
        world.advance(1_000);
        world.registry.boundaryMicros = world.micros();
        world.advance(10_000);
        assertThat(world.rows()).isEmpty();
        assertThat(world.entries()).isEmpty();
        assertThat(world.status().latePrimaries()).isZero();
        assertThat(world.status().skipped()).isZero();
    }

    @Test
    void onlySoManyAreWatchedAtATime() throws IOException {
        world.flows = 256;
        world.limits = World.limits(100_000, 64 * world.flows, 5);
        world.stop();
        world.start();
        world.joiner.without = true;
        world.joiner.answers = WatchedTest::looksInVain;
        int max = Settler.WATCHED_MAX / world.flows;
        world.click("a", max);
        world.advance(10_000);
        assertThat(world.status().watchedRows()).isEqualTo(max);
        assertThat(world.status().unwatched()).isZero();
        world.click("b", 10);
        world.advance(10_000);
        assertThat(world.status().joined()).isEqualTo(max + 10);
        assertThat(world.status().watchedRows()).isEqualTo(max);
        assertThat(world.status().unwatched()).isEqualTo(10);
        assertThat(world.status().inFlight()).isZero();
    }
}
