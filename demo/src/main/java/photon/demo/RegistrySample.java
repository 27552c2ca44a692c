package photon.demo;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The registry at one moment.
 *
 * @param leaders by group ({@code control} or {@code pipeline/epoch/shard}) the replica that leads
 *     it; empty: none is known
 * @param replicasUp how many replicas run
 */
public record RegistrySample(Map<String, String> leaders, double idsPerSecond, int replicasUp) {
    public RegistrySample {
        leaders = Collections.unmodifiableMap(new TreeMap<>(leaders));
    }
}
