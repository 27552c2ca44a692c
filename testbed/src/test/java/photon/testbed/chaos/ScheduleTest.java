package photon.testbed.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ScheduleTest {
    private static List<Schedule.Planned> first(int count, long seed, Kind.Lane lane) {
        Schedule schedule = new Schedule(seed, Kind.of(lane));
        return Stream.generate(schedule::next).limit(count).toList();
    }

    @ParameterizedTest
    @EnumSource(Kind.Lane.class)
    void theSameSeedGivesTheSameSchedule(Kind.Lane lane) {
        assertThat(first(500, 7, lane)).isEqualTo(first(500, 7, lane));
        assertThat(first(500, 8, lane)).isNotEqualTo(first(500, 7, lane));
    }

    @ParameterizedTest
    @EnumSource(Kind.Lane.class)
    void eachKindComesOnceBeforeAnyComesTwice(Kind.Lane lane) {
        int kinds = Kind.of(lane).size();
        for (long seed = 0; seed < 100; seed++) {
            assertThat(first(kinds, seed, lane))
                    .as("seed %s", seed)
                    .extracting(Schedule.Planned::kind)
                    .containsExactlyInAnyOrderElementsOf(Kind.of(lane));
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.Lane.class)
    void afterwardsEachComesAsOftenAsItsWeightSays(Kind.Lane lane) {
        List<Kind> kinds = Kind.of(lane);
        int round = kinds.stream().mapToInt(kind -> kind.weight).sum();
        List<Schedule.Planned> planned = first(kinds.size() + 10 * round, 3, lane);
        Map<Kind, Long> counts =
                planned.stream()
                        .skip(kinds.size())
                        .collect(
                                Collectors.groupingBy(
                                        Schedule.Planned::kind, Collectors.counting()));
        kinds.forEach(kind -> assertThat(counts).containsEntry(kind, 10L * kind.weight));
    }

    /** One thing of a lane at a time, and what is done to replicas is all in one lane. */
    @Test
    void noMoreThanAMinorityIsAwayUnlessThatIsTheMeaningOfIt() {
        assertThat(Kind.values())
                .filteredOn(kind -> !kind.leavesMajority(ChaosOptions.REPLICAS))
                .containsExactly(Kind.MAJORITY_LOST);
        assertThat(Kind.of(Kind.Lane.CHANGES)).allMatch(kind -> kind.victims == 0);
    }

    @Test
    void everyKindHasItsLane() {
        List<Kind> all = new ArrayList<>();
        for (Kind.Lane lane : Kind.Lane.values()) {
            all.addAll(Kind.of(lane));
        }
        assertThat(all).containsExactlyInAnyOrderElementsOf(EnumSet.allOf(Kind.class));
    }

    @Test
    void whatIsPlannedIsBounded() {
        assertThat(first(2_000, 1, Kind.Lane.FAULTS))
                .allMatch(planned -> planned.pause().toMillis() <= 2_500)
                .allMatch(planned -> planned.hold().toMillis() <= 11_000)
                .anyMatch(planned -> planned.hold().toMillis() > 10_000)
                .allMatch(planned -> planned.pick() >= 0);
    }
}
