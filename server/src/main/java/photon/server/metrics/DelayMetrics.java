package photon.server.metrics;

import java.util.Map;
import java.util.SortedMap;
import java.util.function.Supplier;

/** Delays that were counted in fine buckets, as histograms that Prometheus can add up. */
public final class DelayMetrics {
    /** Of a whole way, in seconds: publication, retries and outages are in it. */
    private static final double[] WAYS = {
        0.1, 0.25, 0.5, 1, 2, 3, 5, 7.5, 10, 15, 30, 60, 120, 300, 600, 1_800, 3_600, 21_600, 86_400
    };

    /** Of one stage, in seconds. */
    private static final double[] STAGES = {
        0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60
    };

    private DelayMetrics() {}

    /**
     * @param byMicros as {@link photon.core.metrics.DelayHistogram#counts}
     */
    static void way(Samples samples, String name, String help, Map<Long, Long> byMicros) {
        add(samples, name, help, WAYS, byMicros);
    }

    /**
     * @param byMicros as {@link photon.core.metrics.DelayHistogram#counts}
     */
    static void stage(Samples samples, String name, String help, Map<Long, Long> byMicros) {
        add(samples, name, help, STAGES, byMicros);
    }

    /** What each stage of an event's way through a dispatcher took. */
    public static MetricSource dispatcher(
            Supplier<? extends Map<String, SortedMap<Long, Long>>> stages) {
        return samples ->
                stages(
                        samples,
                        "photon_dispatcher_stage_seconds",
                        "How long events that were joined at the first try took for each stage.",
                        stages.get());
    }

    /** What each stage of an event's way through a joiner took. */
    public static MetricSource joiner(
            Supplier<? extends Map<String, SortedMap<Long, Long>>> stages) {
        return samples ->
                stages(
                        samples,
                        "photon_joiner_stage_seconds",
                        "How long events took for each stage in the joiner.",
                        stages.get());
    }

    private static void stages(
            Samples samples,
            String name,
            String help,
            Map<String, SortedMap<Long, Long>> byMicrosByStage) {
        byMicrosByStage.forEach(
                (stage, byMicros) -> add(samples, name, help, STAGES, byMicros, "stage", stage));
    }

    /** Put together from finer buckets, each as a whole: right to a sixteenth. */
    private static void add(
            Samples samples,
            String name,
            String help,
            double[] bounds,
            Map<Long, Long> byMicros,
            String... labels) {
        long[] counts = new long[bounds.length + 1];
        double sum = 0;
        for (Map.Entry<Long, Long> bucket : byMicros.entrySet()) {
            double seconds = Samples.seconds(bucket.getKey());
            int at = 0;
            while (at < bounds.length && bounds[at] < seconds) {
                at++;
            }
            counts[at] += bucket.getValue();
            sum += seconds * bucket.getValue();
        }
        samples.histogram(name, help, bounds, counts, sum, labels);
    }
}
