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
    private static List<Schedule.Planned> first(int count, long seed, Kind.Category category) {
        Schedule schedule = new Schedule(seed, Kind.of(category));
        return Stream.generate(schedule::next).limit(count).toList();
    }

    @ParameterizedTest
    @EnumSource(Kind.Category.class)
    void theSameSeedGivesTheSameSchedule(Kind.Category category) {
        assertThat(first(500, 7, category)).isEqualTo(first(500, 7, category));
        assertThat(first(500, 8, category)).isNotEqualTo(first(500, 7, category));
    }

    @ParameterizedTest
    @EnumSource(Kind.Category.class)
    void eachKindComesOnceBeforeAnyComesTwice(Kind.Category category) {
        int kinds = Kind.of(category).size();
        for (long seed = 0; seed < 100; seed++) {
            assertThat(first(kinds, seed, category))
                    .as("seed %s", seed)
                    .extracting(Schedule.Planned::kind)
                    .containsExactlyInAnyOrderElementsOf(Kind.of(category));
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.Category.class)
    void afterwardsEachComesAsOftenAsItsWeightSays(Kind.Category category) {
        List<Kind> kinds = Kind.of(category);
        int round = kinds.stream().mapToInt(kind -> kind.weight).sum();
        List<Schedule.Planned> planned = first(kinds.size() + 10 * round, 3, category);
        Map<Kind, Long> counts =
                planned.stream()
                        .skip(kinds.size())
                        .collect(
                                Collectors.groupingBy(
                                        Schedule.Planned::kind, Collectors.counting()));
        kinds.forEach(kind -> assertThat(counts).containsEntry(kind, 10L * kind.weight));
    }

    /** One thing of a category at a time, and what is done to replicas is all in one category. */
    @Test
    void noMoreThanAMinorityIsAwayUnlessThatIsTheMeaningOfIt() {
        assertThat(Kind.values())
                .filteredOn(kind -> !kind.leavesMajority(ChaosOptions.REPLICAS))
                .containsExactly(Kind.MAJORITY_LOST);
        assertThat(Kind.of(Kind.Category.CHANGES)).allMatch(kind -> kind.victims == 0);
    }

    @Test
    void everyKindHasItsCategory() {
        List<Kind> all = new ArrayList<>();
        for (Kind.Category category : Kind.Category.values()) {
            all.addAll(Kind.of(category));
        }
        assertThat(all).containsExactlyInAnyOrderElementsOf(EnumSet.allOf(Kind.class));
    }

    @Test
    void whatIsPlannedIsBounded() {
        assertThat(first(2_000, 1, Kind.Category.FAULTS))
                .allMatch(planned -> planned.pause().toMillis() <= 2_500)
                .allMatch(planned -> planned.hold().toMillis() <= 11_000)
                .anyMatch(planned -> planned.hold().toMillis() > 10_000)
                .allMatch(planned -> planned.pick() >= 0);
    }
}
