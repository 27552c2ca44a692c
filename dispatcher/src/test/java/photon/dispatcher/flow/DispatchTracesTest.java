package photon.dispatcher.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import photon.core.id.CommitToken;
import photon.core.trace.TraceReason;
import photon.core.trace.TracedAttempt;
import photon.proto.v1.JoinItem;
import photon.proto.v1.JoinResult.Status;

class DispatchTracesTest {
    private World world;

    @BeforeEach
    void make() throws IOException {
        world = new World(7);
    }

    private static List<String> names(TracedAttempt attempt) {
        return attempt.stages().stream().map(TracedAttempt.Stage::name).toList();
    }

    @Test
    void anAttemptTellsItsStagesAndTheJoinerKnowsItsName() throws IOException {
        world.joiner.delay = Duration.ofMillis(40);
        world.click("a", 1);
        world.advance(1_000);

        assertThat(world.traced).hasSize(1);
        TracedAttempt attempt = world.traced.get(0);
        assertThat(attempt.part()).isEqualTo(TracedAttempt.Part.DISPATCH);
        assertThat(attempt.datacenter()).isEqualTo("east");
        assertThat(attempt.outcome()).isEqualTo("joined");
        assertThat(attempt.reason()).isEqualTo(TraceReason.SAMPLED);
        assertThat(attempt.parent()).isZero();
        assertThat(attempt.readDelayMicros()).isBetween(0L, 1_000_000L);
        assertThat(names(attempt)).containsExactly("admit", "lookup", "join");
        assertThat(attempt.stages().get(2).micros()).isBetween(40_000L, 60_000L);
        JoinItem item = world.joiner.received.get(0);
        assertThat(item.getTraceSpan()).isEqualTo(attempt.span());
        assertThat(item.getRetried()).isFalse();
    }

    @Test
    void eachTryHasANameOfItsOwnAndTheLastSaysThatItWasOne() throws IOException {
        boolean[] primaryIsThere = {false};
        world.joiner.answers =
                item -> primaryIsThere[0] ? Status.JOINED : Status.WAITING_FOR_PRIMARY;
        world.click("a", 1);
        world.advance(1_000);
        primaryIsThere[0] = true;
        world.advance(5_000);

        assertThat(world.traced).hasSizeGreaterThan(1);
        assertThat(world.traced).extracting(TracedAttempt::span).doesNotHaveDuplicates();
        assertThat(world.joiner.received)
                .extracting(JoinItem::getTraceSpan)
                .containsExactlyElementsOf(world.traced.stream().map(TracedAttempt::span).toList());
        TracedAttempt first = world.traced.get(0);
        assertThat(first.outcome()).isEqualTo("waits-for-primary");
        assertThat(first.reason()).as("it is not settled").isEqualTo(TraceReason.SAMPLED);
        TracedAttempt last = world.traced.get(world.traced.size() - 1);
        assertThat(last.outcome()).isEqualTo("joined");
        assertThat(last.reason()).isEqualTo(TraceReason.RETRIED);
        assertThat(last.readDelayMicros()).as("it comes from the journal").isNegative();
        assertThat(names(last)).containsExactly("lookup", "join");
        assertThat(world.joiner.received.get(world.joiner.received.size() - 1).getRetried())
                .isTrue();
    }

    @Test
    void theEndOfAWatchIsTracedAsTheJoinerSawIt() throws IOException {
        world.joiner.without = true;
        world.joiner.answers =
                item -> item.getJoinedWithout() ? Status.PRIMARY_CAME : Status.JOINED;
        world.click("a", 1);
        world.advance(10_000);

        TracedAttempt last = world.traced.get(world.traced.size() - 1);
        assertThat(last.outcome()).isEqualTo("primary-came-late");
        JoinItem look = world.joiner.received.get(world.joiner.received.size() - 1);
        assertThat(look.getJoinedWithout()).isTrue();
        assertThat(last.span()).isEqualTo(look.getTraceSpan());
    }

    @Test
    void aRepairIsTraced() {
        world.flow.addRepairRows(
                List.of(new RepairRow(FlowTest.event("c"), new CommitToken(5, 1, 77))), () -> {});
        world.advance(1_000);
        assertThat(world.traced)
                .singleElement()
                .satisfies(a -> assertThat(a.reason()).isEqualTo(TraceReason.REPAIRED))
                .satisfies(a -> assertThat(a.outcome()).isEqualTo("joined"));
    }

    @Test
    void soIsWhatNobodyHasToJoinAnyMore() throws IOException {
        world.joiner.answers = item -> Status.REJECTED;
        world.click("a", 1);
        world.advance(1_000);
        assertThat(world.traced).extracting(TracedAttempt::outcome).containsExactly("dead-letter");

        world.traced.clear();
        world.joiner.answers = item -> Status.JOINED_ELSEWHERE;
        world.click("b", 1);
        world.advance(1_000);
        assertThat(world.traced)
                .extracting(TracedAttempt::outcome)
                .containsExactly("already-joined");

        world.traced.clear();
        world.registry.known.add(FlowTest.event("known").id());
        world.flow.addRepairRows(
                List.of(new RepairRow(FlowTest.event("known"), new CommitToken(5, 1, 77))),
                () -> {});
        world.advance(1_000);
        assertThat(world.traced).hasSize(1);
    }
}
