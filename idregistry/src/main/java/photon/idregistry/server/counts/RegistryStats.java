package photon.idregistry.server.counts;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one server has done and is, a moment ago.
 *
 * @param commitEntries commit entries that this server has handed to the logs that it led
 * @param committedIds ids in these, whatever became of them
 * @param leads whether it leads each group, by {@code control} or {@code pipeline/epoch/shard}
 */
public record RegistryStats(long commitEntries, long committedIds, Map<String, Boolean> leads) {
    public static final RegistryStats NONE = new RegistryStats(0, 0, Map.of());

    public RegistryStats {
        leads = Collections.unmodifiableMap(new TreeMap<>(leads));
    }
}
