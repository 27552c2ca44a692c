package photon.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import photon.demo.Timetable.Action;
import photon.demo.Timetable.Kind;

class TimetableTest {
    @Test
    void withoutKillsNothingIsDone() {
        Timetable table = Timetable.of(60, false, false);
        assertThat(table.actions()).isEmpty();
        assertThat(table.endMillis()).isEqualTo(60_000);
        assertThat(table.isCalm(table.warmUpMillis() - 1)).isFalse();
        assertThat(table.isCalm(table.warmUpMillis())).isTrue();
        assertThat(table.isCalm(60_000)).isTrue();
        assertThat(table.isCalm(60_001)).isFalse();
    }

    @Test
    void theDatacenterIsKilledAtAThirdAndReturnsAtTwoThirds() {
        Timetable table = Timetable.of(90, true, false);
        assertThat(table.actions())
                .containsExactly(
                        new Action(30_000, Kind.KILL_DATACENTER),
                        new Action(60_000, Kind.RETURN_DATACENTER));
        assertThat(table.isCalm(30_000)).isFalse();
        assertThat(table.isCalm(69_999)).isFalse();
        assertThat(table.isCalm(70_000)).isTrue();
        assertThat(Timetable.of(120, true, false).isCalm(39_999)).isTrue();
    }

    @Test
    void warmUpIsThirtySecondsAndAtMostAThird() {
        assertThat(Timetable.of(30, false, false).warmUpMillis()).isEqualTo(10_000);
        assertThat(Timetable.of(600, false, false).warmUpMillis()).isEqualTo(30_000);
    }

    @Test
    void aJoinerIsKilledEveryFiveSecondsAndStartedAgainWithinOne() {
        Timetable table = Timetable.of(60, false, true);
        assertThat(times(table, Kind.KILL_JOINER))
                .containsExactly(20_000L, 25_000L, 30_000L, 35_000L, 40_000L, 45_000L);
        assertThat(table.actions()).hasSize(12);
        for (int i = 0; i < 12; i += 2) {
            Action kill = table.actions().get(i);
            Action restart = table.actions().get(i + 1);
            assertThat(kill.kind()).isEqualTo(Kind.KILL_JOINER);
            assertThat(restart.kind()).isEqualTo(Kind.RESTART_JOINER);
            assertThat(restart.atMillis() - kill.atMillis()).isBetween(1L, 1_000L);
        }
    }

    @Test
    void noJoinerIsBetweenDeathAndStartWhenTheDatacenterIsKilled() {
        for (long first = 25_000; first <= 30_000; first += 100) {
            Timetable table = Timetable.of(90, true, true, first);
            int down = 0;
            for (Action action : table.actions()) {
                down += action.kind() == Kind.KILL_JOINER ? 1 : 0;
                down -= action.kind() == Kind.RESTART_JOINER ? 1 : 0;
                if (action.kind() == Kind.KILL_DATACENTER) {
                    assertThat(down).as("first kill at %s", first).isZero();
                }
            }
            assertThat(times(table, Kind.KILL_JOINER)).hasSizeGreaterThan(7);
        }
    }

    @Test
    void onHdfsAWorkerIsKilledEveryFiveSecondsAndADataNodeIsAwayForAFifthOfTheTime() {
        Timetable table = Timetable.onHdfs(60, true, true);
        assertThat(times(table, Kind.KILL_WORKER))
                .containsExactly(20_000L, 25_000L, 30_000L, 35_000L, 40_000L, 45_000L);
        assertThat(times(table, Kind.KILL_DATANODE)).containsExactly(24_000L);
        assertThat(times(table, Kind.RETURN_DATANODE)).containsExactly(36_000L);
        assertThat(Timetable.onHdfs(60, false, false).actions()).isEmpty();
        assertThat(Timetable.onHdfs(60, true, false).actions()).hasSize(6);
        assertThat(Timetable.onHdfs(10, true, true).actions()).isNotEmpty();
    }

    @Test
    void theLongestServingIsTheOneThatStartedFirst() {
        Map<String, Long> started = new LinkedHashMap<>();
        assertThat(Timetable.longestServing(started)).isEmpty();
        started.put("east/joiner-0", 40L);
        started.put("west/joiner-0", 20L);
        started.put("west/joiner-1", 20L);
        assertThat(Timetable.longestServing(started)).contains("west/joiner-0");
    }

    private static List<Long> times(Timetable table, Kind kind) {
        return table.actions().stream()
                .filter(action -> action.kind() == kind)
                .map(Action::atMillis)
                .toList();
    }
}
