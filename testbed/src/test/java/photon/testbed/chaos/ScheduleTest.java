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
    private static List<Schedule.Planned> first(
            int count, long seed, ActionKind.Category category) {
        Schedule schedule = new Schedule(seed, ActionKind.of(category));
        return Stream.generate(schedule::next).limit(count).toList();
    }

    @ParameterizedTest
    @EnumSource(ActionKind.Category.class)
    void theSameSeedGivesTheSameSchedule(ActionKind.Category category) {
        assertThat(first(500, 7, category)).isEqualTo(first(500, 7, category));
        assertThat(first(500, 8, category)).isNotEqualTo(first(500, 7, category));
    }

    @ParameterizedTest
    @EnumSource(ActionKind.Category.class)
    void eachKindComesOnceBeforeAnyComesTwice(ActionKind.Category category) {
        int kinds = ActionKind.of(category).size();
        for (long seed = 0; seed < 100; seed++) {
            assertThat(first(kinds, seed, category))
                    .as("seed %s", seed)
                    .extracting(Schedule.Planned::kind)
                    .containsExactlyInAnyOrderElementsOf(ActionKind.of(category));
        }
    }

    @ParameterizedTest
    @EnumSource(ActionKind.Category.class)
    void afterwardsEachComesAsOftenAsItsWeightSays(ActionKind.Category category) {
        List<ActionKind> kinds = ActionKind.of(category);
        int round = kinds.stream().mapToInt(kind -> kind.weight).sum();
        List<Schedule.Planned> planned = first(kinds.size() + 10 * round, 3, category);
        Map<ActionKind, Long> counts =
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
        assertThat(ActionKind.values())
                .filteredOn(kind -> kind.victims > (ChaosOptions.REPLICAS - 1) / 2)
                .containsExactly(ActionKind.MAJORITY_LOST);
        assertThat(ActionKind.of(ActionKind.Category.CHANGES)).allMatch(kind -> kind.victims == 0);
    }

    @Test
    void everyKindHasItsCategory() {
        List<ActionKind> all = new ArrayList<>();
        for (ActionKind.Category category : ActionKind.Category.values()) {
            all.addAll(ActionKind.of(category));
        }
        assertThat(all).containsExactlyInAnyOrderElementsOf(EnumSet.allOf(ActionKind.class));
    }

    @Test
    void whatIsPlannedIsBounded() {
        assertThat(first(2_000, 1, ActionKind.Category.FAULTS))
                .allMatch(planned -> planned.pause().toMillis() <= 2_500)
                .allMatch(planned -> planned.hold().toMillis() <= 11_000)
                .anyMatch(planned -> planned.hold().toMillis() > 10_000)
                .allMatch(planned -> planned.pick() >= 0);
    }
}
