package photon.dispatcher.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import photon.dispatcher.rules.Frontier;
import photon.dispatcher.rules.FrontierGate;
import photon.proto.v1.JoinItem;

/** A log with a large backlog, and another one that is written now. */
class FreshBeforeBacklogTest {
    private static final int BACKLOG = 20_000;
    private static final Duration OUTAGE = Duration.ofHours(2);

    private World world;
    private World.Log old;

    @BeforeEach
    void start() throws IOException {
        world = new World(11);
        world.joiner.delay = Duration.ofMillis(10);
        old = world.log("a-old");
    }

    /** Written in one go, and as if before an outage. */
    private void writeBacklog(int count) throws IOException {
        long micros = world.micros() - OUTAGE.toNanos() / 1_000;
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < count; i++) {
            lines.append(i == 0 ? "" : "\n")
                    .append("{\"type\":\"click\",\"id\":\"old")
                    .append(i)
                    .append("\",\"of\":\"p\",\"t\":")
                    .append(micros + i)
                    .append('}');
        }
        old.line(lines.toString());
    }

    private static boolean isOld(JoinItem item) {
        return FakeJoiner.event(item).idText().startsWith("old");
    }

    private long oldReceived() {
        return world.joiner.received.stream().filter(FreshBeforeBacklogTest::isOld).count();
    }

    /** How many old events the joiner gets between the writing of a fresh one and that one. */
    private long oldOnesBefore(World.Log live) throws IOException {
        long before = oldReceived();
        String id = live.click();
        for (int i = 0; i < 2_000 && !world.joiner.joined.contains(id); i++) {
            world.advance(1);
        }
        assertThat(world.joiner.joined).contains(id);
        return oldReceived() - before;
    }

    @Test
    void aFreshEventWaitsForNoMoreThanWhatIsOnItsWay() throws IOException {
        World.Log live = world.log("b-live");
        live.click();
        world.advance(1_000);
        writeBacklog(BACKLOG);
        // The first look at a file tells nothing of how old its events are.
        oldOnesBefore(live);
        oldOnesBefore(live);
        long most = 0;
        int fresh = 0;
        while (oldReceived() < BACKLOG - 2_000) {
            most = Math.max(most, oldOnesBefore(live));
            fresh++;
            world.advance(20);
        }
        assertThat(fresh).isGreaterThan(20);
        assertThat(most).as("of %s old ones", BACKLOG).isLessThan(400);
        world.advance(60_000);
        assertThat(oldReceived()).isEqualTo(BACKLOG);
        assertThat(world.status().unreadSinceMillis()).isZero();
        assertThat(world.forgotten()).isEmpty();
    }

    @Test
    void whileBothHaveMoreEachHasItsHalf() throws IOException {
        World.Log live = world.log("b-live");
        live.click();
        world.advance(1_000);
        writeBacklog(BACKLOG);
        oldOnesBefore(live);
        oldOnesBefore(live);
        for (int i = 0; i < 8_000; i++) {
            live.click();
        }
        world.advance(300);
        int from = world.joiner.received.size();
        world.advance(1_000);
        List<JoinItem> received = world.joiner.received.subList(from, world.joiner.received.size());
        long ofBacklog = received.stream().filter(FreshBeforeBacklogTest::isOld).count();
        assertThat(received.size()).isGreaterThan(2_000);
        assertThat((double) ofBacklog / received.size()).isBetween(0.45, 0.55);
    }

    /** As fast as one file alone: nothing is kept free for what does not come. */
    @Test
    void withNothingFreshTheBacklogGetsEverything() throws IOException {
        writeBacklog(BACKLOG);
        world.advance(2_000);
        long alone = oldReceived();
        world = new World(11);
        world.joiner.delay = Duration.ofMillis(10);
        World.Log live = world.log("b-live");
        live.click();
        old = world.log("a-old");
        world.advance(1_000);
        writeBacklog(BACKLOG);
        world.advance(2_000);
        assertThat(alone).isBetween(2_000L, BACKLOG - 1L);
        // A quarter of the way is left free for fresh events while there is a backlog.
        assertThat(oldReceived()).isGreaterThan(alone * 7 / 10);
        assertThat(world.status().lagBytes()).isPositive();
        assertThat(world.status().unreadSinceMillis())
                .isBetween(
                        (world.micros() - OUTAGE.toNanos() / 1_000) / 1_000 - 60_000,
                        (world.micros() - OUTAGE.toNanos() / 1_000) / 1_000);
    }

    /** What was logged since then is not looked at, so nobody knows of it by its file. */
    @Test
    void theLagGrowsWhileThereIsNoRoomToReadOn() throws IOException {
        world.joiner.delay = Duration.ofHours(1);
        World.Log live = world.log("b-live");
        for (int i = 0; i < 100 && world.status().ready() <= Intake.POLL_RECORDS_MAX; i++) {
            for (int k = 0; k < 100; k++) {
                live.click();
            }
            world.advance(300);
        }
        assertThat(world.status().lagBytes()).as("all was read").isZero();
        long fullMillis = world.micros() / 1_000;
        live.click();
        world.advance(5_000);
        assertThat(world.status().lagBytes()).as("nobody has looked").isZero();
        assertThat(world.status().unreadSinceMillis()).isBetween(1L, fullMillis);
    }

    /** With little room, and events of today that wait for the event store; read to its end. */
    private World.Log besideAFarEventStore() throws IOException {
        world.limits = World.limits(100, 64, 5);
        world.stop();
        world.eventStore.unreadMicros = world.micros() - 2 * OUTAGE.toNanos() / 1_000;
        world.start();
        World.Log live = world.log("b-live");
        live.click();
        world.advance(15_000);
        return live;
    }

    @Test
    void aBacklogThatThereIsNoRoomForIsNotCaughtUp() throws IOException {
        for (int i = 0; i < 2; i++) {
            World.Log late = world.hidden("late" + i);
            for (int k = 0; k < 40; k++) {
                late.click();
            }
        }
        world.advance(OUTAGE.toMillis());
        besideAFarEventStore();
        world.show("late0");
        world.advance(500);
        assertThat(world.status().gated()).isEqualTo(40);
        assertThat(world.status().caughtUp()).isTrue();
        world.show("late1");
        world.advance(500);
        assertThat(world.status().lagBytes()).isPositive();
        assertThat(world.status().caughtUp()).isFalse();
    }

    /** The event store is as far behind as the backlog, and reads its fresh logs all the same. */
    @Test
    void aFreshEventDoesNotWaitTenSecondsForTheEventStoresBacklog() throws IOException {
        World.Log live = world.log("b-live");
        live.click();
        world.advance(1_000);
        world.eventStore.unreadMicros = world.micros() - OUTAGE.toNanos() / 1_000 + 10_000_000;
        writeBacklog(BACKLOG);
        world.stop();
        world.start();
        world.joiner.delay = Duration.ofMillis(10);
        live.click();
        world.advance(3_000);
        String fresh = live.click();
        world.advance(2_500);
        assertThat(
                        world.joiner.received.stream()
                                .map(item -> FakeJoiner.event(item).idText())
                                .collect(Collectors.toSet()))
                .contains(fresh);
    }

    @Test
    void aBacklogBehindTheGateDoesNotKeepFreshEventsFromBeingRead() throws IOException {
        World.Log live = besideAFarEventStore();
        writeBacklog(BACKLOG);
        world.advance(2_000);
        String fresh = live.click();
        world.advance(4_000);
        assertThat(world.status().gated()).as("the backlog waits").isPositive();
        assertThat(world.joiner.joined).contains(fresh);
    }

    /** Only the event store has a backlog, as while it builds its index anew. */
    private World.Log besideAnEventStoreWithABacklog() throws IOException {
        world.stop();
        world.eventStore.unreadMicros = world.micros() - 2 * OUTAGE.toNanos() / 1_000;
        world.eventStore.liveMicros = world.micros() - 60_000_000;
        world.start();
        world.joiner.delay = Duration.ofMillis(10);
        return world.log("b-live");
    }

    @Test
    void freshEventsDoNotWaitForABacklogThatTheEventStoreAloneHas() throws IOException {
        World.Log live = besideAnEventStoreWithABacklog();
        world.advance(1_000);
        for (int i = 0; i < 10; i++) {
            for (int k = 0; k < 500; k++) {
                live.click();
            }
            world.advance(400);
            assertThat(world.joiner.joined).hasSize(500 * (i + 1));
        }
        assertThat(world.status().gated()).isZero();
    }

    @Test
    void anOldEventWaitsForTheEventStoresBacklog() throws IOException {
        World.Log live = besideAnEventStoreWithABacklog();
        writeBacklog(1);
        world.advance(2_000);
        String fresh = live.click();
        world.advance(1_000);
        assertThat(world.status().gated()).isEqualTo(1);
        assertThat(world.joiner.joined).containsExactly(fresh);
        world.eventStore.unreadMicros = world.micros() - OUTAGE.toNanos() / 2_000;
        world.advance(1_000);
        assertThat(world.joiner.joined).hasSize(2);
    }

    /** Which says of all its logs together how far it has read. */
    @Test
    void besideAnOlderEventStoreAFreshEventWaitsAsBefore() throws IOException {
        World.Log live = besideAnEventStoreWithABacklog();
        world.eventStore.liveMicros = Frontier.NO_BACKLOG;
        world.advance(1_000);
        String fresh = live.click();
        world.advance(FrontierGate.WAIT_MAX.toMillis() - 1_000);
        assertThat(world.joiner.joined).isEmpty();
        world.advance(2_000);
        assertThat(world.joiner.joined).containsExactly(fresh);
    }
}
