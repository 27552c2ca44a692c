package photon.demo;

import static photon.core.text.RootLocale.format;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import photon.server.terminal.Terminal;

/**
 * The live view as lines of text. The same state gives the same lines: no clock, no terminal.
 * Immutable.
 */
final class ViewPage {
    private static final int WIDTH_MIN = 40;
    private static final int WIDTH_MAX = 110;
    private static final int EVENTS_MAX = 8;
    private static final int EVENTS_MIN = 2;
    private static final int TIME_WIDTH = 16;
    private static final long BAR_MILLIS = 1_000;
    private static final String BARS = " ▁▂▃▄▅▆▇█";

    private final int inner;
    private final int rows;
    private final boolean painted;

    /**
     * @param painted with colours
     */
    ViewPage(Terminal.Size size, boolean painted) {
        this.inner = Math.max(WIDTH_MIN, Math.min(WIDTH_MAX, size.columns() - 1)) - 2;
        this.rows = size.rows();
        this.painted = painted;
    }

    List<String> lines(ViewState state) {
        List<String> lines = new ArrayList<>();
        lines.add(border("┌", "─ photon demo ", "┐"));
        lines.add(boxed(progress(state)));
        lines.add(boxed(new ViewLine()));
        if (!state.samples().isEmpty()) {
            DemoSample now = state.samples().get(state.samples().size() - 1);
            double most = mostJoins(state, now);
            now.datacenters()
                    .forEach(
                            (name, part) -> {
                                lines.add(boxed(datacenter(name, part)));
                                lines.add(boxed(bars(state, now, name, most)));
                            });
            lines.add(boxed(new ViewLine()));
            lines.add(boxed(registry(now.registry(), state.replicas())));
            lines.add(boxed(new ViewLine()));
            lines.add(boxed(joined(now)));
            lines.add(boxed(verdict(state, now)));
        }
        lines.add(border("├", "", "┤"));
        lines.addAll(events(state, rows - lines.size() - 2));
        lines.add(border("└", "", "┘"));
        return List.copyOf(lines);
    }

    private ViewLine progress(ViewState state) {
        String times = "%s of %s".formatted(time(state.elapsedMillis()), time(state.totalMillis()));
        ViewLine line = new ViewLine().add(" ").add(Ink.BOLD, times).add("  ");
        int room = inner - line.width() - state.phase().length() - 3;
        double share = (double) state.elapsedMillis() / Math.max(1, state.totalMillis());
        int done = (int) Math.round(room * Math.max(0, Math.min(1, share)));
        return line.add(Ink.BLUE, "█".repeat(done))
                .add(Ink.DIM, "░".repeat(room - done))
                .add("  ")
                .add(Ink.DIM, state.phase());
    }

    private static ViewLine datacenter(String name, DatacenterSample part) {
        ViewLine line = new ViewLine().add(Ink.BOLD, format(" %-7s", name));
        line.add(part.alive() ? Ink.GREEN : Ink.RED, part.alive() ? "up    " : "DOWN  ");
        number(line, "read", format("%,10d", part.read()), Ink.PLAIN);
        number(line, "joined", format("%,10d", part.joined()), Ink.PLAIN);
        number(line, "waiting", format("%,6d", part.waiting()), Ink.PLAIN);
        Ink lagInk = part.lagMillis() > 2_000 ? Ink.YELLOW : Ink.PLAIN;
        number(line, "lag", format("%5.1f s", part.lagMillis() / 1e3), lagInk);
        return line;
    }

    private static void number(ViewLine line, String name, String value, Ink ink) {
        line.add(Ink.DIM, " " + name).add(ink, value + " ");
    }

    /** One bar a second, the newest at the right end. */
    private ViewLine bars(ViewState state, DemoSample now, String name, double most) {
        int bars = bars();
        StringBuilder drawn = new StringBuilder();
        for (int i = bars - 1; i >= 0; i--) {
            double rate =
                    Rates.joinsPerSecond(state.samples(), name, now.atMillis() - i * BAR_MILLIS);
            int level = (int) Math.ceil((BARS.length() - 1) * rate / most);
            drawn.append(BARS.charAt(Math.max(0, Math.min(BARS.length() - 1, level))));
        }
        double rate = Rates.joinsPerSecond(state.samples(), name, now.atMillis());
        return new ViewLine()
                .add("        ")
                .add(Ink.BLUE, drawn.toString())
                .add(format(" %,6.0f", rate))
                .add(Ink.DIM, " joins/s");
    }

    private int bars() {
        return inner - 8 - TIME_WIDTH;
    }

    /** The highest rate that any bar shows: all datacenters have one scale. */
    private double mostJoins(ViewState state, DemoSample now) {
        double most = 1;
        for (String name : now.datacenters().keySet()) {
            for (int i = 0; i < bars(); i++) {
                long at = now.atMillis() - i * BAR_MILLIS;
                most = Math.max(most, Rates.joinsPerSecond(state.samples(), name, at));
            }
        }
        return most;
    }

    private static ViewLine registry(RegistrySample registry, int replicas) {
        ViewLine line = new ViewLine().add(Ink.BOLD, " registry ");
        boolean all = registry.replicasUp() >= replicas;
        line.add(
                all ? Ink.GREEN : Ink.YELLOW,
                "%d of %d up".formatted(registry.replicasUp(), replicas));
        line.add(format("%,8.0f", registry.idsPerSecond())).add(Ink.DIM, " ids/s ");
        for (Map.Entry<String, String> each : registry.leaders().entrySet()) {
            String leader = each.getValue();
            String group = each.getKey().contains("/") ? groupText(each) : each.getKey();
            line.add(Ink.DIM, "  " + group + " ");
            line.add(
                    leader.isEmpty() ? Ink.YELLOW : Ink.PLAIN,
                    leader.isEmpty() ? "none" : LeaderWatch.place(leader));
        }
        return line;
    }

    private static String groupText(Map.Entry<String, String> group) {
        return LeaderWatch.groupText(group.getKey());
    }

    private static ViewLine joined(DemoSample now) {
        return new ViewLine()
                .add(Ink.DIM, " published")
                .add(Ink.BOLD, format(" %,d", now.published()))
                .add(Ink.DIM, " of")
                .add(format(" %,d", now.expected()))
                .add(Ink.DIM, " joinable so far");
    }

    /** What is late while something waits for its repair is with that, not unaccounted for. */
    private static ViewLine verdict(ViewState state, DemoSample now) {
        boolean explained = state.repairsPending() > 0;
        ViewLine line = new ViewLine();
        count(line, "duplicates", now.duplicates());
        count(line, "unaccounted", explained ? 0 : now.overdue());
        count(line, "lost", state.lost());
        if (explained && now.overdue() > 0) {
            line.add(Ink.YELLOW, format("   %,d late, until repaired", now.overdue()));
        }
        return line;
    }

    private static void count(ViewLine line, String name, long count) {
        line.add(Ink.DIM, " " + name + " ");
        line.add(count == 0 ? Ink.GREEN : Ink.RED, format("%,d", count)).add("  ");
    }

    /** The last ones, the newest at the end; always as many lines, so that the box stands still. */
    private List<String> events(ViewState state, int room) {
        int shown = Math.max(EVENTS_MIN, Math.min(EVENTS_MAX, room));
        List<DemoEvent> all = state.events();
        List<String> lines = new ArrayList<>();
        for (DemoEvent event : all.subList(Math.max(0, all.size() - shown), all.size())) {
            lines.add(
                    boxed(
                            new ViewLine()
                                    .add(Ink.DIM, " " + time(event.atMillis()) + "  ")
                                    .add(ink(event.kind()), event.text())));
        }
        while (lines.size() < shown) {
            lines.add(boxed(new ViewLine()));
        }
        return lines;
    }

    private static Ink ink(DemoEvent.Kind kind) {
        return switch (kind) {
            case KILL -> Ink.RED;
            case RETURN -> Ink.GREEN;
            case LEADER -> Ink.BLUE;
            case INFO -> Ink.PLAIN;
        };
    }

    /** Minutes and seconds. */
    static String time(long millis) {
        return format("%02d:%02d", millis / 60_000, millis / 1_000 % 60);
    }

    private String boxed(ViewLine line) {
        return line.boxed(inner, painted);
    }

    private String border(String left, String title, String right) {
        String line = left + title + "─".repeat(inner - title.length()) + right;
        return painted ? Ink.DIM.paint(line) : line;
    }
}
