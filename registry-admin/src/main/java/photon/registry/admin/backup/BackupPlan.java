package photon.registry.admin.backup;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import photon.idregistry.control.ControlState;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.ShardMap;

/**
 * Which shards a backup needs, by the control group. It is asked twice, before the first shard is
 * cut and behind the last one. The later answer is the backup's, so that every incarnation that
 * holds an id in a shard is known there: repair would never look for the ids of another one. If
 * both name the same maps, the shards in the backup are those of its control group, and none is
 * older than a map that takes ids away from it (docs/protocol.md section 10).
 *
 * @param maps by pipeline
 */
public record BackupPlan(SortedMap<UUID, ShardMap> maps) {

    /** One shard to be cut. */
    public record Cut(UUID pipeline, Shard shard) {}

    public static BackupPlan of(ControlState control) {
        SortedMap<UUID, ShardMap> maps = new TreeMap<>();
        control.pipelines().forEach(pipeline -> maps.put(pipeline.uuid(), pipeline.map()));
        return new BackupPlan(maps);
    }

    /** Every shard of every pipeline. */
    public List<Cut> cuts() {
        List<Cut> all = new ArrayList<>();
        maps.forEach(
                (pipeline, map) ->
                        map.shards().forEach(shard -> all.add(new Cut(pipeline, shard))));
        return all;
    }

    /**
     * What has changed since, for people; empty: the shards that were cut in between go with
     * either.
     */
    public Optional<String> changedSince(BackupPlan before) {
        if (!maps.keySet().equals(before.maps.keySet())) {
            return Optional.of("a pipeline was made or dropped");
        }
        return maps.entrySet().stream()
                .filter(now -> !Objects.equals(before.maps.get(now.getKey()), now.getValue()))
                .map(now -> "the shard map of pipeline " + now.getKey() + " has changed")
                .findFirst();
    }
}
