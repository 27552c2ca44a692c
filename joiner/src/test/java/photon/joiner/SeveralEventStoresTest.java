package photon.joiner;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import photon.core.share.EventStoreShares;
import photon.joiner.MemoryEventStore.Mode;
import photon.joiner.rules.StoreRoutes;
import photon.joiner.rules.UnmatchedRule;
import photon.proto.v1.JoinItem;
import photon.proto.v1.JoinResult.Status;

/**
 * A joiner whose datacenter has several event stores, and what becomes of events where some fail.
 */
class SeveralEventStoresTest {
    private JoinerBench bench = bench(3, 2);
    private EventStoreShares shares = shares(3, 2);

    private static EventStoreShares shares(int stores, int copies) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < stores; i++) {
            names.add("eventstore-" + i);
        }
        return new EventStoreShares(names, copies);
    }

    private static JoinerBench bench(int stores, int copies) {
        return new JoinerBench(
                        JoinerBench.settings("merge", JoinerBench.limits(2_000, 1_000)),
                        shares(stores, copies))
                .run();
    }

    private MemoryEventStore store(int place) {
        return bench.eventStores.get(place);
    }

    /** Events whose primary event is of this store first. */
    private List<Long> first(int place, int count) {
        return LongStream.range(1, 100_000)
                .filter(n -> shares.owners(Events.primaryKey(n))[0] == place)
                .limit(count)
                .boxed()
                .toList();
    }

    private int second(long n) {
        return shares.owners(Events.primaryKey(n))[1];
    }

    private List<Long> send(int from, int to) {
        List<JoinItem> items = new ArrayList<>();
        List<Long> numbers = new ArrayList<>();
        for (int n = from; n < to; n++) {
            items.add(Events.item(n, n, null));
            numbers.add((long) n);
        }
        bench.send(items);
        bench.run();
        return numbers;
    }

    private Status answer(long number) {
        return requireNonNull(bench.answers.get(number), "an answer").getStatus();
    }

    @Test
    void aBatchIsSplitByStoreAndAllIsJoined() {
        send(1, 301);
        assertThat(bench.answers).hasSize(300);
        assertThat(bench.answers.values()).allMatch(r -> r.getStatus() == Status.JOINED);
        for (MemoryEventStore store : bench.eventStores) {
            assertThat(store.requests).isEqualTo(1);
        }
        assertThat(bench.joiner.status().lookupsMoved()).isZero();
    }

    @Test
    void whatOneThatBreaksHadIsAskedOfTheOthersAtOnce() {
        store(0).mode = () -> Mode.BREAK;
        send(1, 301);
        assertThat(bench.answers.values()).allMatch(r -> r.getStatus() == Status.JOINED);
        assertThat(bench.joiner.status().lookupsMoved()).isBetween(60L, 140L);
        int asked = store(0).requests;
        send(301, 601);
        assertThat(bench.answers.values()).allMatch(r -> r.getStatus() == Status.JOINED);
        assertThat(store(0).requests).as("it is asked last for a while").isEqualTo(asked);
    }

    /** As one does whose disk hangs: its place would be full, and all that is slowed down. */
    @Test
    void whatOneRefusesIsAskedOfTheOthersAtOnce() {
        store(0).mode = () -> Mode.REFUSE;
        send(1, 301);
        assertThat(bench.answers.values()).allMatch(r -> r.getStatus() == Status.JOINED);
        int asked = store(0).requests;
        send(301, 601);
        assertThat(bench.answers.values()).allMatch(r -> r.getStatus() == Status.JOINED);
        assertThat(store(0).requests).as("it is asked last for a while").isEqualTo(asked);
        bench.eventStores.forEach(store -> store.mode = () -> Mode.REFUSE);
        bench.send(List.of(Events.item(9_999, 9_000, null)));
        bench.run();
        assertThat(answer(9_999)).isEqualTo(Status.RETRY_ALL);
    }

    @Test
    void oneThatIsSilentCostsTwoSecondsOnce() {
        store(1).mode = () -> Mode.HOLD;
        send(1, 101);
        int joined = bench.answers.size();
        assertThat(joined).isBetween(40, 90);
        bench.main.advance(StoreRoutes.ANSWER_MAX.minusMillis(1));
        assertThat(bench.answers).hasSize(joined);
        bench.main.advance(Duration.ofMillis(1));
        bench.run();
        assertThat(bench.answers).hasSize(100);
        assertThat(bench.answers.values()).allMatch(r -> r.getStatus() == Status.JOINED);
        send(101, 201);
        assertThat(bench.answers).hasSize(200);
        // What it says at last comes too late for all of them.
        store(1).answerHeld();
        bench.run();
        assertThat(bench.files.synced).hasSize(200);
        store(1).mode = () -> Mode.ANSWER;
        bench.main.advance(Duration.ofSeconds(5));
        bench.send(List.of(Events.item(9_999, first(1, 1).get(0), null)));
        bench.run();
        int requests = store(1).requests;
        send(201, 301);
        assertThat(store(1).requests).as("it is asked again").isGreaterThan(requests);
    }

    @Test
    void aMissOfOneThatIsBehindIsAskedOfTheNext() {
        long n = first(2, 1).get(0);
        store(2).behind = true;
        store(2).missing.add(Events.primaryKey(n));
        assertThat(bench.join(n)).isEqualTo(Status.JOINED);
        assertThat(store(second(n)).requests).isEqualTo(1);
    }

    @Test
    void aMissOfOneThatIsNotBehindIsAMiss() {
        long n = first(2, 1).get(0);
        store(2).missing.add(Events.primaryKey(n));
        assertThat(bench.join(n)).isEqualTo(Status.WAITING_FOR_PRIMARY);
        assertThat(store(second(n)).requests).isZero();
    }

    /** The joiner's list is another than that of the store: it was started before. */
    @Test
    void oneThatSaysThatOthersKeepItIsNotBelieved() {
        long n = first(0, 1).get(0);
        store(0).share = shareOfNothing(n);
        assertThat(bench.join(n)).isEqualTo(Status.JOINED);
        store(second(n)).share = shareOfNothing(n);
        long number = bench.send(n);
        bench.run();
        assertThat(answer(number)).isEqualTo(Status.WAITING_FOR_PRIMARY);
    }

    private static photon.core.share.StoreShare shareOfNothing(long n) {
        for (int i = 0; ; i++) {
            photon.core.share.StoreShare share =
                    new photon.core.share.StoreShare(
                            new EventStoreShares(List.of("x" + i, "y"), 1), "y");
            if (!share.holds(Events.primaryKey(n))) {
                return share;
            }
        }
    }

    /** Nothing counts against an event, and no other event is slowed down. */
    @Test
    void withOneCopyTheEventsOfADeadStoreWait() {
        bench = bench(2, 1);
        shares = shares(2, 1);
        store(0).mode = () -> Mode.BREAK;
        long dead = bench.send(first(0, 1).get(0));
        long living = bench.send(first(1, 1).get(0));
        bench.run();
        assertThat(answer(dead)).isEqualTo(Status.WAITING_FOR_PRIMARY);
        assertThat(requireNonNull(bench.answers.get(dead)).getReason()).contains("connection lost");
        assertThat(answer(living)).isEqualTo(Status.JOINED);
        store(1).mode = () -> Mode.BREAK;
        dead = bench.send(first(1, 2).get(1));
        bench.run();
        assertThat(answer(dead)).as("all are dead").isEqualTo(Status.RETRY_ALL);
    }

    // ---- joined without a primary event: for good

    private long old() {
        long n = first(0, 1).get(0);
        bench =
                new JoinerBench(
                                JoinerBench.settings(
                                        "merge",
                                        JoinerBench.limits(100, 50),
                                        16L << 20,
                                        UnmatchedRule.of(UnmatchedTest.config())),
                                shares)
                        .run();
        bench.eventStores.forEach(store -> store.missing.add(Events.primaryKey(n)));
        long now = Events.id(n).micros() + UnmatchedTest.OVER_MICROS;
        bench.now = new photon.core.time.IntervalClock.Interval(now, now + 1);
        return n;
    }

    @Test
    void theOthersAreAskedBeforeAnEventIsJoinedWithoutItsPrimaryEvent() {
        long n = old();
        store(second(n)).missing.clear();
        assertThat(bench.join(n)).isEqualTo(Status.JOINED);
        assertThat(bench.joiner.status().unmatched()).isZero();
    }

    @Test
    void oneThatHasReadAllIsEnoughWhereAnotherIsDeadOrBehind() {
        for (boolean dead : new boolean[] {true, false}) {
            long n = old();
            store(second(n)).mode = () -> dead ? Mode.BREAK : Mode.ANSWER;
            store(second(n)).behind = true;
            store(second(n)).allRead = false;
            assertThat(bench.join(n)).isEqualTo(Status.JOINED);
            assertThat(bench.joiner.status().unmatched()).isEqualTo(1);
        }
    }

    /** It holds nothing of the event's share, so that it has read all says nothing. */
    @Test
    void oneThatKeepsOthersNeverDecides() {
        long n = old();
        store(0).share = shareOfNothing(n);
        store(second(n)).allRead = false;
        assertThat(bench.join(n)).isEqualTo(Status.WAITING_FOR_PRIMARY);
        assertThat(bench.registry.held).isEmpty();
    }

    @Test
    void oneThatIsBehindDoesNotDecideForOneThatIsDead() {
        long n = old();
        store(0).mode = () -> Mode.BREAK;
        store(second(n)).behind = true;
        store(second(n)).allRead = false;
        assertThat(bench.join(n)).isEqualTo(Status.WAITING_FOR_PRIMARY);
        assertThat(bench.registry.held).isEmpty();
    }
}
