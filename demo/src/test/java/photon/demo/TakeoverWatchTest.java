package photon.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;
import photon.demo.TakeoverWatch.Takeover;
import photon.testbed.process.ProcessName;

class TakeoverWatchTest {
    private static final ProcessName EAST =
            new ProcessName("east", ProcessName.DISPATCHER, "dispatcher-1");
    private static final ProcessName WEST =
            new ProcessName("west", ProcessName.DISPATCHER, "dispatcher-0");
    private final TakeoverWatch watch = new TakeoverWatch();

    @Test
    void partitionsAreTakenOverWhenOthersWorkOnTheLastOfThem() {
        assertThat(watch.awaits()).isFalse();
        watch.killed(EAST, Set.of(1, 4, 6), 10_000);
        assertThat(watch.awaitedIn("east")).contains(EAST);
        assertThat(watch.awaitedIn("west")).isEmpty();
        assertThat(watch.seen("east", Set.of(0, 2, 3, 5, 7), 12_000)).isEmpty();
        assertThat(watch.seen("east", Set.of(0, 1, 2, 3, 4, 5, 7), 27_000)).isEmpty();
        assertThat(watch.seen("west", Set.of(0, 1, 2, 3, 4, 5, 6, 7), 27_500)).isEmpty();
        assertThat(watch.awaitsLeasesIn("east")).isTrue();
        watch.leased("east", Set.of(0, 1, 2, 3, 4, 5, 7), 27_000);
        watch.leased("west", Set.of(0, 1, 2, 3, 4, 5, 6, 7), 27_100);
        watch.leased("east", Set.of(0, 1, 2, 3, 4, 5, 6, 7), 27_200);
        assertThat(watch.awaitsLeasesIn("east")).isFalse();
        watch.leased("east", Set.of(0, 1, 2, 3, 4, 5, 6, 7), 27_400);
        Takeover takeover =
                new Takeover(
                        "east/dispatcher-1", 3, OptionalDouble.of(17.2), OptionalDouble.of(18.4));
        assertThat(watch.seen("east", Set.of(0, 1, 2, 3, 4, 5, 6, 7), 28_400)).contains(takeover);
        assertThat(watch.seen("east", Set.of(0, 1, 2, 3, 4, 5, 6, 7), 28_600)).isEmpty();
        assertThat(watch.awaits()).isFalse();
        watch.killed(WEST, Set.of(2), 30_000);
        assertThat(watch.seen("west", Set.of(2), 31_000))
                .as("who works on them has them")
                .contains(
                        new Takeover(
                                "west/dispatcher-0",
                                1,
                                OptionalDouble.of(1),
                                OptionalDouble.of(1)));
        assertThat(watch.takeovers()).startsWith(takeover);
    }

    @Test
    void whatNobodyTakesOverIsGivenUpAndStaysInTheFigures() {
        watch.killed(EAST, Set.of(1), 10_000);
        watch.killed(WEST, Set.of(2, 3), 15_000);
        watch.leased("west", Set.of(2, 3), 20_500);
        assertThat(watch.giveUp(90_000, 99_999)).isEmpty();
        assertThat(watch.giveUp(90_000, 100_000)).containsExactly(EAST);
        assertThat(watch.giveUp(90_000, 100_100)).isEmpty();
        assertThat(watch.awaitedIn("west")).contains(WEST);
        assertThat(watch.seen("east", Set.of(1), 100_200)).isEmpty();
        assertThat(watch.takeovers())
                .containsExactly(
                        new Takeover(
                                "east/dispatcher-1",
                                1,
                                OptionalDouble.empty(),
                                OptionalDouble.empty()),
                        new Takeover(
                                "west/dispatcher-0",
                                2,
                                OptionalDouble.of(5.5),
                                OptionalDouble.empty()));
    }
}
