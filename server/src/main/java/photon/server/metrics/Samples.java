package photon.server.metrics;

import static photon.core.error.Checks.check;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.Map;
import java.util.TreeMap;

/** The values of one scrape. Not thread-safe. */
public final class Samples {
    static final double MICROS_PER_SECOND = 1e6;

    private final Map<String, CounterSnapshot.Builder> counters = new TreeMap<>();
    private final Map<String, GaugeSnapshot.Builder> gauges = new TreeMap<>();
    private final Map<String, HistogramSnapshot.Builder> histograms = new TreeMap<>();

    Samples() {}

    /**
     * Something that only grows while the process lives.
     *
     * @param name without {@code _total}, which it gets
     * @param labels names and values in turn; the same names wherever this metric is added
     */
    public Samples counter(String name, String help, long value, String... labels) {
        counters.computeIfAbsent(name, n -> CounterSnapshot.builder().name(n).help(help))
                .dataPoint(
                        CounterSnapshot.CounterDataPointSnapshot.builder()
                                .value((double) value)
                                .labels(Labels.of(labels))
                                .build());
        return this;
    }

    /**
     * Something as it is now.
     *
     * @param labels as in {@link #counter}
     */
    public Samples gauge(String name, String help, double value, String... labels) {
        gauges.computeIfAbsent(name, n -> GaugeSnapshot.builder().name(n).help(help))
                .dataPoint(
                        GaugeSnapshot.GaugeDataPointSnapshot.builder()
                                .value(value)
                                .labels(Labels.of(labels))
                                .build());
        return this;
    }

    /** As {@link #gauge(String, String, double, String...)}: exact up to 2^53. */
    public Samples gauge(String name, String help, long value, String... labels) {
        return gauge(name, help, (double) value, labels);
    }

    /**
     * How often something was how large.
     *
     * @param bounds of the buckets
     * @param counts not added up; one more than bounds, the last of what is above them
     * @param labels as in {@link #counter}
     */
    public Samples histogram(
            String name,
            String help,
            double[] bounds,
            long[] counts,
            double sum,
            String... labels) {
        check(
                counts.length == bounds.length + 1,
                "Expected %s counts, but got %s",
                bounds.length + 1,
                counts.length);
        ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
        for (int i = 0; i < counts.length; i++) {
            buckets.bucket(i < bounds.length ? bounds[i] : Double.POSITIVE_INFINITY, counts[i]);
        }
        histograms
                .computeIfAbsent(name, n -> HistogramSnapshot.builder().name(n).help(help))
                .dataPoint(
                        HistogramSnapshot.HistogramDataPointSnapshot.builder()
                                .classicHistogramBuckets(buckets.build())
                                .sum(sum)
                                .labels(Labels.of(labels))
                                .build());
        return this;
    }

    static double seconds(long micros) {
        return micros / MICROS_PER_SECOND;
    }

    MetricSnapshots snapshots() {
        MetricSnapshots.Builder all = MetricSnapshots.builder();
        counters.values().forEach(counter -> all.metricSnapshot(counter.build()));
        gauges.values().forEach(gauge -> all.metricSnapshot(gauge.build()));
        histograms.values().forEach(histogram -> all.metricSnapshot(histogram.build()));
        return all.build();
    }
}
