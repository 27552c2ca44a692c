package photon.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import photon.server.terminal.Terminal.Size;

class LiveViewTest {
    private final ByteArrayOutputStream screen = new ByteArrayOutputStream();

    @Test
    void everyLineIsAsWideAsTheBoxOnEveryTerminal() {
        for (int columns : new int[] {10, 40, 60, 80, 100, 111, 300}) {
            List<String> lines = page(new Size(columns, 30), 45_000);
            int width = Math.max(40, Math.min(110, columns - 1));
            assertThat(lines).allSatisfy(line -> assertThat(line).hasSize(width));
        }
    }

    @Test
    void showsWhatGoesOn() {
        List<String> lines = page(new Size(101, 40), 45_000);
        assertThat(lines.get(0)).startsWith("┌─ photon demo ──");
        assertThat(lines.get(1))
                .startsWith("│ 00:45 of 01:30  ████")
                .contains("█░")
                .contains("load");
        assertThat(lines.get(3))
                .contains(
                        " east   DOWN   read    60,000  joined    30,000  waiting   120  lag 15.0 s");
        assertThat(lines.get(4)).contains("      0 joins/s");
        assertThat(lines.get(5)).contains(" west   up     read").contains("lag  0.2 s");
        assertThat(lines.get(6)).contains("████").contains("  2,000 joins/s");
        assertThat(lines.get(8))
                .contains(
                        " registry 3 of 5 up   2,010 ids/s   control west  shard 0 west  shard 1 none");
        assertThat(lines.get(10))
                .contains(" published 89,000 of 89,250")
                .contains(" joinable so far");
        assertThat(lines.get(11))
                .contains(" duplicates 0   unaccounted 0   lost 0     37 late, until repaired");
        assertThat(lines.get(13)).contains(" 00:30  east killed ");
        assertThat(lines.get(14)).contains(" 00:30  leader of shard 1 moved to west in 0.9 s ");
        assertThat(lines.get(lines.size() - 1)).startsWith("└──");
    }

    @Test
    void whatIsLateWithoutAReasonIsUnaccounted() {
        ViewState late = state(45_000, RunOfSamples.EVENTS, 0);
        assertThat(new ViewPage(new Size(100, 40), false).lines(late))
                .anySatisfy(line -> assertThat(line).contains(" unaccounted 37 "))
                .noneSatisfy(line -> assertThat(line).contains("until repaired"));
    }

    @Test
    void aLowTerminalShowsTheLastEventsOnly() {
        List<String> lines =
                new ViewPage(new Size(80, 18), false).lines(state(80_000, RunOfSamples.EVENTS, 0));
        assertThat(lines).hasSize(17);
        assertThat(lines).noneSatisfy(line -> assertThat(line).contains("east killed"));
        assertThat(lines.get(15)).contains("repaired 37");
    }

    @Test
    void beforeTheFirstSampleThereIsAPageToo() {
        ViewState nothing = new ViewState(List.of(), List.of(), 0, 90_000, 5, 0, 0, "starting");
        assertThat(new ViewPage(Size.USUAL, false).lines(nothing).get(1)).contains("starting");
    }

    @Test
    void isDrawnInItsPlaceAndStaysAtTheEnd() {
        LiveView view = new LiveView(out(), true, new Size(80, 30));
        view.show(state(45_000, List.of(), 1));
        int height = (int) screen().chars().filter(c -> c == '\n').count();
        assertThat(screen()).startsWith("\033[?25l\r").contains("\033[1;31mDOWN  \033[0m");
        screen.reset();
        view.show(state(45_200, List.of(), 1));
        assertThat(screen()).startsWith("\033[" + height + "A\r");
        screen.reset();
        view.note(46_000, "the processes end");
        view.note(61_000, "the books are read");
        view.close();
        assertThat(screen())
                .isEqualTo("\033[?25h00:46  the processes end\n01:01  the books are read\n");
    }

    @Test
    void aPageThatIsClosedStaysAndTheCursorIsSeenAgain() {
        LiveView view = new LiveView(out(), true, new Size(80, 30));
        view.show(state(45_000, List.of(), 1));
        screen.reset();
        view.close();
        view.close();
        assertThat(screen()).isEqualTo("\033[?25h");
    }

    @Test
    void aStartNamesWhatIsWaitedFor() {
        LiveView view = new LiveView(out(), true, new Size(60, 30));
        view.starting(12_300, List.of("east/joiner-0", "west/joiner-0"), 13);
        assertThat(screen())
                .startsWith(
                        "\033[?25l\rstarting, 12 s: 11 of 13 processes serve, not yet east/join\033[K");
    }

    @Test
    void withoutATerminalAStartIsALineEachTenSeconds() {
        LiveView view = new LiveView(out(), false, Size.USUAL);
        view.starting(0, List.of("a", "b", "c", "d", "e"), 13);
        view.starting(9_900, List.of("east/r0"), 13);
        view.starting(10_100, List.of("east/r0", "b", "c", "d"), 13);
        assertThat(screen().lines())
                .containsExactly(
                        "starting, 0 s: 8 of 13 processes serve",
                        "starting, 10 s: 9 of 13 processes serve, not yet east/r0, b, c, d");
    }

    @Test
    void withoutATerminalEachEventIsALineOnce() {
        LiveView view = new LiveView(out(), false, Size.USUAL);
        view.show(state(45_000, RunOfSamples.EVENTS.subList(0, 1), 0));
        view.show(state(45_200, RunOfSamples.EVENTS.subList(0, 1), 0));
        view.show(state(45_400, RunOfSamples.EVENTS.subList(0, 2), 0));
        view.close();
        assertThat(screen().lines())
                .containsExactly(
                        "00:30  east killed", "00:30  leader of shard 1 moved to west in 0.9 s");
    }

    private static List<String> page(Size size, long atMillis) {
        return new ViewPage(size, false)
                .lines(state(atMillis, RunOfSamples.EVENTS.subList(0, 3), 1));
    }

    private static ViewState state(long atMillis, List<DemoEvent> events, int repairsPending) {
        List<DemoSample> samples = RunOfSamples.until(atMillis);
        return new ViewState(samples, events, atMillis, 90_000, 5, repairsPending, 0, "load");
    }

    private PrintStream out() {
        return new PrintStream(screen, true, StandardCharsets.UTF_8);
    }

    private String screen() {
        return screen.toString(StandardCharsets.UTF_8);
    }
}
