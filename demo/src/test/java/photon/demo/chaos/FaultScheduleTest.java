package photon.demo.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import photon.demo.chaos.FaultSchedule.Planned;

class FaultScheduleTest {
    private static final List<PipelineFault> ALL = List.of(PipelineFault.values());

    @Test
    void theSameSeedGivesTheSameSchedule() {
        assertThat(FaultSchedule.of(7, 5_000, 3_600_000, ALL))
                .isEqualTo(FaultSchedule.of(7, 5_000, 3_600_000, ALL))
                .isNotEqualTo(FaultSchedule.of(8, 5_000, 3_600_000, ALL));
    }

    @ParameterizedTest
    @ValueSource(longs = {20_000, 36_000, 60_000, 3_600_000})
    void eachFaultHappensOnceBeforeAnyComesAgainHoweverShortTheRun(long end) {
        for (long seed = 0; seed < 50; seed++) {
            List<PipelineFault> faults =
                    FaultSchedule.of(seed, 5_000, end, ALL).stream().map(Planned::fault).toList();
            assertThat(faults.subList(0, ALL.size())).containsExactlyInAnyOrderElementsOf(ALL);
        }
    }

    @Test
    void inALongRunFaultsComeAsOftenAsTheyWeigh() {
        List<Planned> planned = FaultSchedule.of(3, 0, Duration.ofHours(24).toMillis(), ALL);
        int weights = ALL.stream().mapToInt(PipelineFault::weight).sum();
        for (PipelineFault fault : ALL) {
            long count = planned.stream().filter(one -> one.fault() == fault).count();
            long expected = (long) planned.size() * fault.weight() / weights;
            assertThat(count).as(fault.label()).isBetween(expected - 5, expected + 5);
        }
    }

    @Test
    void allIsUndoneByTheEndAndHoldsAreWithinTheirBounds() {
        long end = 600_000;
        List<Planned> planned = FaultSchedule.of(11, 5_000, end, ALL);
        assertThat(planned).isSortedAccordingTo((a, b) -> Long.compare(a.atMillis(), b.atMillis()));
        for (Planned one : planned) {
            assertThat(one.atMillis()).isGreaterThan(5_000);
            assertThat(one.atMillis() + one.hold().toMillis()).isLessThanOrEqualTo(end);
            assertThat(one.hold()).isLessThanOrEqualTo(one.fault().holdMax());
            if (one.atMillis() + one.fault().holdMax().toMillis() < end) {
                assertThat(one.hold()).isGreaterThanOrEqualTo(one.fault().holdMin());
            }
        }
    }
}
