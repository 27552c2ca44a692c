package photon.demo;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The demo at one moment.
 *
 * @param atMillis since the demo's start
 * @param published distinct foreign events in the published files of all datacenters
 * @param duplicates joined lines beyond the first of a foreign event
 * @param expected joinable events that were generated so far
 * @param overdue of these, generated longer ago than a join should take, and published nowhere
 */
public record DemoSample(
        long atMillis,
        Map<String, DatacenterSample> datacenters,
        RegistrySample registry,
        long published,
        long duplicates,
        long expected,
        long overdue) {
    public DemoSample {
        datacenters = Collections.unmodifiableMap(new TreeMap<>(datacenters));
    }
}
