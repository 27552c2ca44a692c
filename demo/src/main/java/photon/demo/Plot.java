package photon.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import photon.demo.DemoEvent.Kind;
import photon.demo.Svg.Anchor;
import photon.demo.Svg.Point;

/**
 * The picture of a run: joins a second by datacenter, stacked; lag; waiting. What was killed and
 * came back is marked in all three. Times on one axis. Immutable.
 */
public final class Plot {
    private static final int WIDTH = 960;
    private static final int LEFT = 70;
    private static final int RIGHT = 24;
    private static final int TOP = 116;
    private static final int JOINS_HEIGHT = 210;
    private static final int SMALL_HEIGHT = 100;
    private static final int GAP = 42;
    private static final int BOTTOM = 44;
    private static final int POINTS_MAX = 480;
    private static final double LABEL_CHAR_WIDTH = 6.2;
    private static final List<String> COLOURS =
            List.of("#2f6fb3", "#e28a2b", "#3f9b6c", "#8a63b5", "#c25b7a");
    private static final String INK = "#24292f";
    private static final String GREY = "#6a737d";
    private static final String GRID = "#e3e6ea";

    private final String title;
    private final List<DemoSample> samples;
    private final List<DemoEvent> events;
    private final long endMillis;
    private final List<String> datacenters;

    /**
     * @param samples in order of time
     */
    public Plot(String title, List<DemoSample> samples, List<DemoEvent> events) {
        this.title = title;
        this.samples = List.copyOf(samples);
        this.events = List.copyOf(events);
        this.endMillis =
                Math.max(1_000, samples.isEmpty() ? 0 : samples.get(samples.size() - 1).atMillis());
        TreeSet<String> names = new TreeSet<>();
        samples.forEach(sample -> names.addAll(sample.datacenters().keySet()));
        this.datacenters = List.copyOf(names);
    }

    /** One part of the picture, with its own vertical axis. */
    private record Panel(int top, int height, double max) {
        double y(double value) {
            return top + height - height * Math.min(value, max) / max;
        }

        int bottom() {
            return top + height;
        }
    }

    /** The document. */
    public String svg() {
        int height = TOP + JOINS_HEIGHT + 2 * (GAP + SMALL_HEIGHT) + BOTTOM;
        Svg svg = new Svg(WIDTH, height, title);
        svg.text(new Point(LEFT, 30), Anchor.START, 18, INK, true, title);
        legend(svg);
        List<Long> times = times();
        Map<String, double[]> rates = stackedRates(times);
        Panel joins = panel(TOP, JOINS_HEIGHT, max(rates));
        Map<String, double[]> lags = series(times, part -> part.lagMillis() / 1e3);
        Panel lag = panel(joins.bottom() + GAP, SMALL_HEIGHT, max(lags));
        Map<String, double[]> waits = series(times, DatacenterSample::waiting);
        Panel waiting = panel(lag.bottom() + GAP, SMALL_HEIGHT, max(waits));
        grid(svg, joins, "joins a second, stacked");
        grid(svg, lag, "lag, seconds");
        grid(svg, waiting, "waiting for their primary event");
        areas(svg, joins, times, rates);
        lines(svg, lag, times, lags);
        lines(svg, waiting, times, waits);
        timeAxis(svg, waiting.bottom());
        marks(svg, List.of(joins, lag, waiting));
        return svg.end();
    }

    private void legend(Svg svg) {
        double x = LEFT;
        for (int i = 0; i < datacenters.size(); i++) {
            svg.rect(x, 43, 12, 12, colour(i));
            svg.text(new Point(x + 18, 53.5), Anchor.START, 13, INK, false, datacenters.get(i));
            x += 40 + 8 * datacenters.get(i).length();
        }
    }

    private static String colour(int datacenter) {
        return COLOURS.get(datacenter % COLOURS.size());
    }

    /** The times at which the curves have a point: a sample each, or fewer where there are many. */
    private List<Long> times() {
        List<Long> times = new ArrayList<>();
        int step = Math.max(1, (samples.size() + POINTS_MAX - 1) / POINTS_MAX);
        for (int i = 0; i < samples.size(); i += step) {
            times.add(samples.get(i).atMillis());
        }
        return times;
    }

    /** Of each datacenter its own and what lies below it. */
    private Map<String, double[]> stackedRates(List<Long> times) {
        Map<String, double[]> stacked = new TreeMap<>();
        double[] below = new double[times.size()];
        for (String datacenter : datacenters) {
            double[] top = below.clone();
            for (int i = 0; i < top.length; i++) {
                top[i] += Rates.joinsPerSecond(samples, datacenter, times.get(i));
            }
            stacked.put(datacenter, top);
            below = top;
        }
        return stacked;
    }

    private Map<String, double[]> series(
            List<Long> times, ToDoubleFunction<DatacenterSample> value) {
        Map<String, double[]> series = new TreeMap<>();
        for (String datacenter : datacenters) {
            double[] values = new double[times.size()];
            for (int i = 0; i < values.length; i++) {
                DemoSample sample = samples.get(Rates.last(samples, times.get(i)));
                DatacenterSample part = sample.datacenters().get(datacenter);
                values[i] = part == null ? 0 : value.applyAsDouble(part);
            }
            series.put(datacenter, values);
        }
        return series;
    }

    private static double max(Map<String, double[]> series) {
        double max = 0;
        for (double[] values : series.values()) {
            for (double value : values) {
                max = Math.max(max, value);
            }
        }
        return max;
    }

    private static Panel panel(int top, int height, double max) {
        double step = step(max, 4);
        return new Panel(top, height, step * Math.max(1, Math.ceil(max / step)));
    }

    /** 1, 2 or 5 times a power of ten, such that about so many of it make the whole. */
    private static double step(double whole, int count) {
        double rough = Math.max(whole / count, 1e-1);
        double power = Math.pow(10, Math.floor(Math.log10(rough)));
        for (double times : new double[] {1, 2, 5}) {
            if (times * power >= rough * 0.999) {
                return times * power;
            }
        }
        return 10 * power;
    }

    private double x(long atMillis) {
        double share = (double) Math.max(0, Math.min(atMillis, endMillis)) / endMillis;
        return LEFT + share * (WIDTH - LEFT - RIGHT);
    }

    private static void grid(Svg svg, Panel panel, String name) {
        svg.text(new Point(LEFT, panel.top() - 9), Anchor.START, 12.5, INK, true, name);
        double step = step(panel.max(), panel.height() > SMALL_HEIGHT ? 4 : 2);
        for (double value = 0; value <= panel.max() * 1.001; value += step) {
            double y = panel.y(value);
            String colour = value == 0 ? GREY : GRID;
            svg.line(new Point(LEFT, y), new Point(WIDTH - RIGHT, y), colour, 1, "");
            svg.text(new Point(LEFT - 8, y + 4), Anchor.END, 11.5, GREY, false, number(value));
        }
    }

    private static String number(double value) {
        boolean whole = Math.abs(value - Math.rint(value)) < 1e-6;
        return String.format(Locale.ROOT, whole ? "%,.0f" : "%.1f", value);
    }

    private void areas(Svg svg, Panel panel, List<Long> times, Map<String, double[]> stacked) {
        double[] below = new double[times.size()];
        for (int d = 0; d < datacenters.size() && !times.isEmpty(); d++) {
            double[] top = stacked.getOrDefault(datacenters.get(d), below);
            List<Point> outline = curve(panel, times, top);
            for (int i = times.size() - 1; i >= 0; i--) {
                outline.add(new Point(x(times.get(i)), panel.y(below[i])));
            }
            svg.polygon(outline, colour(d));
            below = top;
        }
    }

    private void lines(Svg svg, Panel panel, List<Long> times, Map<String, double[]> series) {
        for (int d = 0; d < datacenters.size() && !times.isEmpty(); d++) {
            double[] values = series.getOrDefault(datacenters.get(d), new double[times.size()]);
            svg.polyline(curve(panel, times, values), colour(d), 1.8);
        }
    }

    private List<Point> curve(Panel panel, List<Long> times, double[] values) {
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            points.add(new Point(x(times.get(i)), panel.y(values[i])));
        }
        return points;
    }

    private void timeAxis(Svg svg, int bottom) {
        double step = Math.max(1, step(endMillis / 1e3, 9));
        for (double second = 0; second <= endMillis / 1e3; second += step) {
            double x = x(Math.round(second * 1e3));
            svg.line(new Point(x, bottom), new Point(x, bottom + 5), GREY, 1, "");
            String text = number(second) + " s";
            svg.text(new Point(x, bottom + 20), Anchor.MIDDLE, 11.5, GREY, false, text);
        }
    }

    /**
     * A line through all panels; its label above them on the first of two levels with room, if any.
     */
    private void marks(Svg svg, List<Panel> panels) {
        double[] free = {LEFT, LEFT}; // per level, from where on nothing is written
        for (DemoEvent event : events) {
            if (event.kind() != Kind.KILL && event.kind() != Kind.RETURN) {
                continue;
            }
            String colour = event.kind() == Kind.KILL ? "#c62828" : "#1b7f3b";
            double x = x(event.atMillis());
            svg.line(
                    new Point(x, panels.get(0).top() - 22),
                    new Point(x, panels.get(panels.size() - 1).bottom()),
                    colour,
                    1.3,
                    "4 3");
            double half = event.text().length() * LABEL_CHAR_WIDTH / 2;
            double middle = Math.max(LEFT + half, Math.min(x, WIDTH - RIGHT - half));
            for (int level = 0; level < free.length; level++) {
                if (middle - half >= free[level]) {
                    Point at = new Point(middle, panels.get(0).top() - 26 - 14 * level);
                    svg.text(at, Anchor.MIDDLE, 11.5, colour, true, event.text());
                    free[level] = middle + half + 8;
                    break;
                }
            }
        }
    }
}
