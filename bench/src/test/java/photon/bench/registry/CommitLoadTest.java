package photon.bench.registry;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.core.testing.Await;
import photon.registry.api.CommitOutcome;
import photon.registry.api.RegistryClient.CommitResult;

/** {@link CommitLoad} and {@link Attempts} against a registry that the test plays. */
class CommitLoadTest {
    private static final Duration WITHIN = Duration.ofSeconds(30);

    private final FakeIdRegistry registry = new FakeIdRegistry();
    private final BenchIds ids = new BenchIds(new Incarnation(7, 3));
    private final Referee referee = new Referee(ids);
    private final Map<EventId, CommitToken> held = new HashMap<>();
    private final Set<CommitToken> tokens = new HashSet<>();

    private CommitLoad load(int callers, int inFlight, int batch, OptionalLong rate, long idsMax) {
        return new CommitLoad(
                registry,
                ids,
                referee,
                new CommitLoad.Shape(callers, inFlight, batch, rate),
                new Attempts(ids, referee, () -> 1_000_000_000L, idsMax));
    }

    /** As the registry decides. */
    private CommitOutcome decide(FakeIdRegistry.Asked asked) {
        tokens.add(asked.token());
        CommitToken holder = held.putIfAbsent(asked.id(), asked.token());
        return holder == null || holder.equals(asked.token())
                ? new CommitOutcome.Decided(CommitResult.ACCEPTED, null, false)
                : new CommitOutcome.Decided(CommitResult.TAKEN, holder, false);
    }

    private int answer(Function<FakeIdRegistry.Asked, CommitOutcome> outcomes) {
        List<FakeIdRegistry.Waiting> calls = registry.take();
        for (FakeIdRegistry.Waiting call : calls) {
            List<CommitOutcome> all = new ArrayList<>();
            call.asked().forEach(asked -> all.add(outcomes.apply(asked)));
            call.future().complete(new FakeIdRegistry.Outcomes(all));
        }
        return calls.size();
    }

    private void answerAll() {
        while (answer(this::decide) > 0) {
            // Until nobody asks any more.
        }
    }

    @Test
    void eachCallerHasItsCallsUnderWayAndBeginsTheNextWhenOneIsAnswered() {
        CommitLoad load = load(3, 2, 10, OptionalLong.empty(), Long.MAX_VALUE);
        load.start();
        assertThat(registry.waiting()).isEqualTo(6);
        assertThat(answer(this::decide)).isEqualTo(6);
        assertThat(registry.waiting()).isEqualTo(6);
        load.stop();
        assertThat(load.ended()).isNotDone();
        answerAll();
        assertThat(load.ended()).isDone();
        assertThat(referee.distinctIds()).isEqualTo(120);
        assertThat(held).hasSize(120);
        assertThat(referee.isRight()).isTrue();
    }

    @Test
    void itEndsByItselfAfterSoManyIds() {
        CommitLoad load = load(4, 1, 16, OptionalLong.empty(), 1_000);
        load.start();
        answerAll();
        assertThat(load.ended()).isDone();
        assertThat(held).hasSize(1_000);
        long used = 0;
        for (long number = 0; number < ids.end(); number++) {
            if (ids.isUsed(number)) {
                used++;
                assertThat(held).containsEntry(ids.id(number), ids.token(2 * number));
            }
        }
        assertThat(used).isEqualTo(1_000);
    }

    @Test
    void ofTwoWhoRaceOneIsAcceptedAndBothAreHeard() {
        ids.contest(40);
        CommitLoad load = load(5, 2, 7, OptionalLong.empty(), 5_000);
        load.start();
        answerAll();
        assertThat(load.ended()).isDone();
        assertThat(referee.contested()).isBetween(1_800L, 2_200L);
        assertThat(referee.taken()).isEqualTo(referee.contested());
        assertThat(tokens).hasSize(5_000 + (int) referee.contested());
        assertThat(referee.isRight()).isTrue();
        assertThat(referee.accepted()).isEqualTo(referee.distinctIds()).isEqualTo(5_000);
    }

    @Test
    void whatIsNotDecidedIsAskedAgainWithItsToken() {
        CommitLoad load = load(2, 1, 1, OptionalLong.empty(), 4);
        load.start();
        List<FakeIdRegistry.Asked> first = new ArrayList<>();
        answer(
                asked -> {
                    first.add(asked);
                    return new CommitOutcome.Unknown();
                });
        List<FakeIdRegistry.Asked> second = new ArrayList<>();
        answer(
                asked -> {
                    second.add(asked);
                    return new CommitOutcome.NotSubmitted(CommitOutcome.NotSubmitted.Why.DEADLINE);
                });
        assertThat(second).containsExactlyInAnyOrderElementsOf(first);
        assertThat(load.ended()).isNotDone();
        answerAll();
        assertThat(load.ended()).isDone();
        assertThat(tokens).hasSize(4);
        assertThat(referee.isRight()).isTrue();
    }

    @Test
    void inAnOpenLoopCallsComeUnansweredAndCountFromWhenTheyWereDue() throws Exception {
        CommitLoad load = load(1, 1, 2, OptionalLong.of(2_000), Long.MAX_VALUE);
        long began = System.nanoTime();
        Latencies latencies = new Latencies(began, 3_600);
        load.measure(latencies);
        load.start();
        Await.until(
                WITHIN,
                "20 calls of one caller",
                () -> "there are " + registry.waiting(),
                () -> registry.waiting() >= 20);
        load.stop();
        // The first was due at the start and the 20th 19 ms later, whatever the threads did.
        answerAll();
        assertThat(load.ended()).isDone();
        Latencies.Summary summary = Latencies.of(List.of(latencies), second -> true);
        assertThat(summary.calls()).isGreaterThanOrEqualTo(20);
        assertThat(summary.maxMillis().orElseThrow()).isGreaterThanOrEqualTo(18.9);
        assertThat(referee.isRight()).isTrue();
    }
}
