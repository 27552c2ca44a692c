package photon.demo;

import java.util.List;

/**
 * Joins a second, from samples. Files are published every few seconds, so a rate is taken over a
 * window that several of them fall into.
 */
final class Rates {
    static final long WINDOW_MILLIS = 3_000;

    private Rates() {}

    /**
     * What a datacenter has published a second in the window before the given time; 0 where there
     * are no samples.
     *
     * @param samples in order of time
     */
    static double joinsPerSecond(List<DemoSample> samples, String datacenter, long atMillis) {
        int to = last(samples, atMillis);
        int from = last(samples, atMillis - WINDOW_MILLIS);
        if (to < 0) {
            return 0;
        }
        DemoSample end = samples.get(to);
        long joinedBefore = from < 0 ? 0 : joined(samples.get(from), datacenter);
        // A run that is younger than the window starts low: few joins in little time tell nothing.
        long millis = from < 0 ? WINDOW_MILLIS : end.atMillis() - samples.get(from).atMillis();
        return millis <= 0 ? 0 : (joined(end, datacenter) - joinedBefore) * 1e3 / millis;
    }

    private static long joined(DemoSample sample, String datacenter) {
        DatacenterSample part = sample.datacenters().get(datacenter);
        return part == null ? 0 : part.joined();
    }

    /** Place of the last sample at or before the time; negative: there is none. */
    static int last(List<DemoSample> samples, long atMillis) {
        int from = 0;
        int to = samples.size();
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (samples.get(middle).atMillis() <= atMillis) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from - 1;
    }
}
