package photon.core.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import photon.core.id.EventId;
import photon.core.id.UserKey;

class TraceRuleTest {
    private static final long MILLI = 1_000_000;

    private static EventId id(long n) {
        return EventId.ofUser(1_700_000_000_000_000L + n, UserKey.of(List.of("click-" + n)));
    }

    private static Optional<TraceReason> of(
            TraceRule rule, long n, long millis, boolean retried, boolean repair, long atMillis) {
        return rule.reason(id(n), millis * MILLI, retried, repair, atMillis * MILLI);
    }

    @Test
    void theSameEventsAreSampledByAll() {
        TraceRule one = new TraceRule(100, Duration.ofSeconds(5), 0);
        TraceRule other = new TraceRule(100, Duration.ofSeconds(5), 0);
        List<Long> sampled =
                LongStream.range(0, 100_000)
                        .filter(n -> of(one, n, 1, false, false, 0).isPresent())
                        .boxed()
                        .toList();
        assertThat(sampled).hasSizeBetween(900, 1_100);
        assertThat(sampled)
                .allSatisfy(
                        n ->
                                assertThat(of(other, n, 1, false, false, 99))
                                        .contains(TraceReason.SAMPLED));
    }

    @Test
    void whetherAnEventIsSampledHasNothingToDoWithItsShard() {
        TraceRule rule = new TraceRule(2, Duration.ofSeconds(5), 0);
        long both =
                LongStream.range(0, 10_000)
                        .filter(n -> rule.isSampled(id(n)) && (id(n).stableHash() & 1) == 0)
                        .count();
        assertThat(both).isBetween(2_300L, 2_700L);
    }

    @Test
    void oneInOneIsAllAndOneInNoneIsNone() {
        TraceRule all = new TraceRule(1, Duration.ofSeconds(5), 0);
        TraceRule none = new TraceRule(0, Duration.ofSeconds(5), 0);
        assertThat(LongStream.range(0, 100)).allMatch(n -> all.isSampled(id(n)));
        assertThat(LongStream.range(0, 100)).noneMatch(n -> none.isSampled(id(n)));
    }

    @Test
    void whatIsSlowRetriedOrRepairedIsTracedAnyway() {
        TraceRule rule = new TraceRule(0, Duration.ofSeconds(5), 10);
        assertThat(of(rule, 1, 4_999, false, false, 0)).isEmpty();
        assertThat(of(rule, 1, 5_000, false, false, 0)).contains(TraceReason.SLOW);
        assertThat(of(rule, 1, 5_000, true, false, 0)).contains(TraceReason.RETRIED);
        assertThat(of(rule, 1, 5_000, true, true, 0)).contains(TraceReason.REPAIRED);
        assertThat(rule.leftOut()).isZero();
    }

    @Test
    void whereAllIsSlowOnlySoMuchIsTracedEachSecond() {
        TraceRule rule = new TraceRule(0, Duration.ofMillis(1), 3);
        long first =
                LongStream.range(0, 10)
                        .filter(n -> of(rule, n, 9, false, false, 100 * n).isPresent())
                        .count();
        assertThat(first).isEqualTo(3);
        assertThat(rule.leftOut()).isEqualTo(7);
        assertThat(of(rule, 10, 9, false, false, 1_000)).contains(TraceReason.SLOW);
        assertThat(rule.leftOut()).isEqualTo(7);
    }

    @Test
    void whatIsSampledTakesNoRoomOfTheOthers() {
        TraceRule rule = new TraceRule(1, Duration.ofMillis(1), 0);
        assertThat(of(rule, 1, 9, false, false, 0)).contains(TraceReason.SLOW);
        assertThat(of(rule, 1, 0, false, false, 0)).contains(TraceReason.SAMPLED);
        assertThat(rule.leftOut()).isZero();
    }
}
