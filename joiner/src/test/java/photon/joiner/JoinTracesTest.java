package photon.joiner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import photon.core.id.CommitToken;
import photon.core.trace.TraceReason;
import photon.core.trace.TracedAttempt;
import photon.proto.v1.JoinItem;
import photon.proto.v1.JoinResult.Status;

class JoinTracesTest {
    private final JoinerBench bench = new JoinerBench().run();

    private static List<String> names(TracedAttempt attempt) {
        return attempt.stages().stream().map(TracedAttempt.Stage::name).toList();
    }

    @Test
    void aJoinIsPartOfTheDispatchersAttempt() {
        JoinItem item = Events.item(bench.nextNumber(), 1, null);
        bench.send(List.of(item.toBuilder().setTraceSpan(4_711).build()));
        bench.run();
        assertThat(bench.statusOf(item.getNumber())).isEqualTo(Status.JOINED);
        assertThat(bench.traced)
                .singleElement()
                .satisfies(
                        a -> {
                            assertThat(a.part()).isEqualTo(TracedAttempt.Part.JOIN);
                            assertThat(a.id()).isEqualTo(Events.id(1));
                            assertThat(a.parent()).isEqualTo(4_711);
                            assertThat(a.span()).isNotIn(0L, 4_711L);
                            assertThat(a.outcome()).isEqualTo("joined");
                            assertThat(a.reason()).isEqualTo(TraceReason.SAMPLED);
                            assertThat(names(a))
                                    .containsExactly("primary", "adapter", "commit", "work_log");
                        });
    }

    @Test
    void whatWasTriedBeforeOrIsRepairedSaysSo() {
        JoinItem item = Events.item(bench.nextNumber(), 1, null);
        bench.send(List.of(item.toBuilder().setTraceSpan(1).setRetried(true).build()));
        bench.run();
        assertThat(bench.join(2, new CommitToken(5, 1, 77))).isEqualTo(Status.JOINED);
        assertThat(bench.traced)
                .extracting(TracedAttempt::reason)
                .containsExactly(TraceReason.RETRIED, TraceReason.REPAIRED);
    }

    @Test
    void anAttemptThatIsTurnedAwayEndsInItsStage() {
        bench.registry.held.put(Events.id(3), new CommitToken(9, 3, 1));
        assertThat(bench.join(3)).isEqualTo(Status.JOINED_ELSEWHERE);
        assertThat(bench.traced)
                .singleElement()
                .satisfies(
                        a -> {
                            assertThat(a.outcome()).isEqualTo("joined-elsewhere");
                            assertThat(a.parent()).isZero();
                            assertThat(a.micros()).isNotNegative();
                            assertThat(names(a)).containsExactly("primary", "adapter");
                        });
    }
}
