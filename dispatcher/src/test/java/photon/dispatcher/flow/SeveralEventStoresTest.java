package photon.dispatcher.flow;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import photon.core.id.EventId;
import photon.core.loop.ManualLoop;
import photon.core.share.EventStoreShares;
import photon.dispatcher.rules.Frontier;
import photon.dispatcher.rules.FrontierGate;
import photon.storage.journal.JournalRow;

/** What a dispatcher asks of several event stores, of which some are away. */
class SeveralEventStoresTest {
    private final EventStoreShares shares = new EventStoreShares(List.of("a", "b", "c"), 2);
    private final ManualLoop loop = new ManualLoop();
    private final List<FakeEventStore> stores =
            List.of(new FakeEventStore(loop), new FakeEventStore(loop), new FakeEventStore(loop));
    private final List<JournalRow.Key> woken = new ArrayList<>();
    private final WakeUps wakeUps = new WakeUps(callers(), loop, 100, woken::addAll);

    private EventStoreCallers callers() {
        return new EventStoreCallers(
                shares, stores.stream().map(s -> new EventStoreCallers.One(s, s)).toList());
    }

    private static ByteString key(int number) {
        return ByteString.copyFromUtf8("page-" + number);
    }

    private static JournalRow.Key row(int number) {
        return new JournalRow.Key(new EventId(number, 1, 2, 3), null);
    }

    private void await(int from, int to) {
        for (int i = from; i < to; i++) {
            wakeUps.await(key(i), row(i));
        }
        wakeUps.flush();
        loop.runUntilIdle();
    }

    private boolean isOwner(int store, int number) {
        return Arrays.stream(shares.owners(key(number))).anyMatch(owner -> owner == store);
    }

    @Test
    void eachKeyIsAwaitedAtThoseThatKeepItAndTheFirstHintCounts() {
        await(0, 30);
        for (int store = 0; store < 3; store++) {
            for (int i = 0; i < 30; i++) {
                assertThat(stores.get(store).awaited.contains(key(i))).isEqualTo(isOwner(store, i));
            }
        }
        stores.forEach(FakeEventStore::allCome);
        loop.runUntilIdle();
        assertThat(woken).hasSize(30).doesNotHaveDuplicates();
    }

    @Test
    void whatADeadOneWasAskedForTheOthersTell() {
        await(0, 30);
        stores.get(0).breakSession();
        stores.get(0).broken = true;
        loop.runUntilIdle();
        // Rows that are tried meanwhile wait again.
        await(0, 30);
        stores.get(1).allCome();
        stores.get(2).allCome();
        loop.runUntilIdle();
        assertThat(woken).hasSize(30).doesNotHaveDuplicates();
    }

    @Test
    void oneThatIsBackIsAskedAgainForWhatStillWaits() {
        await(0, 30);
        stores.get(0).breakSession();
        loop.runUntilIdle();
        assertThat(stores.get(0).awaited).isEmpty();
        loop.advance(WakeUps.AFTER_FAILURE);
        await(0, 30);
        for (int i = 0; i < 30; i++) {
            assertThat(stores.get(0).awaited.contains(key(i))).isEqualTo(isOwner(0, i));
        }
        assertThat(stores.get(1).sessions).isEqualTo(1);
        stores.get(0).allCome();
        loop.runUntilIdle();
        assertThat(woken)
                .hasSize(
                        (int)
                                java.util.stream.IntStream.range(0, 30)
                                        .filter(i -> isOwner(0, i))
                                        .count());
    }

    @Test
    void theGateWaitsForSoManyThatEachEventIsKeptByOneThatHasReadIt() {
        List<Frontier> told = new ArrayList<>();
        FrontierWatch watch = new FrontierWatch(callers(), loop, told::add);
        stores.get(0).unreadMicros = 10;
        stores.get(1).unreadMicros = 50;
        watch.begin();
        loop.runUntilIdle();
        assertThat(told.get(told.size() - 1)).isEqualTo(Frontier.unread(50));
        stores.get(1).unreadMicros = FrontierGate.OPEN;
        loop.advance(FrontierWatch.ASK_EVERY);
        assertThat(told.get(told.size() - 1)).isEqualTo(Frontier.unread(FrontierGate.OPEN));
        int asked = stores.get(1).asked;
        stores.get(1).broken = true;
        watch.begin();
        loop.runUntilIdle();
        assertThat(stores.get(1).asked).isEqualTo(asked + 1);
        assertThat(told.get(told.size() - 1))
                .as("one is away, one behind")
                .isEqualTo(Frontier.unread(10));
        watch.stop();
    }

    /** One with a backlog, one without, and one of an older version. */
    @Test
    void whatTheyReadLiveIsToldApart() {
        List<Frontier> told = new ArrayList<>();
        FrontierWatch watch = new FrontierWatch(callers(), loop, told::add);
        stores.get(0).unreadMicros = 10;
        stores.get(0).liveMicros = 40;
        stores.get(0).liveUnreadMicros = 90;
        stores.get(1).unreadMicros = 50;
        stores.get(2).unreadMicros = 30;
        watch.begin();
        loop.runUntilIdle();
        assertThat(told.get(told.size() - 1)).isEqualTo(new Frontier(30, 40, 50));
        stores.get(0).liveUnreadMicros = FrontierGate.OPEN;
        stores.get(1).unreadMicros = FrontierGate.OPEN;
        loop.advance(FrontierWatch.ASK_EVERY);
        assertThat(told.get(told.size() - 1)).isEqualTo(new Frontier(30, 40, FrontierGate.OPEN));
        stores.get(0).broken = true;
        loop.advance(FrontierWatch.ASK_EVERY);
        assertThat(told.get(told.size() - 1)).isEqualTo(Frontier.unread(30));
        watch.stop();
    }
}
