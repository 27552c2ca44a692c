package photon.registry.client;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import photon.registry.api.IdBatch;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.ShardMap;

/**
 * Those ids of a batch that one shard owns.
 *
 * @param places in the batch, in order; null: all of it
 */
record ShardPart(Shard shard, int @Nullable [] places) {
    /**
     * Divides a batch by shard.
     *
     * @param shards those of the map
     * @param some places in the batch; null: all of it
     * @return in order of the shards
     */
    static List<ShardPart> split(
            ShardMap map, List<Shard> shards, IdBatch ids, int @Nullable [] some) {
        if (shards.size() == 1) {
            return List.of(new ShardPart(shards.get(0), some));
        }
        int[] owners = new int[some == null ? ids.size() : some.length];
        int[] counts = new int[shards.size()];
        for (int i = 0; i < owners.length; i++) {
            int place = some == null ? i : some[i];
            owners[i] = map.indexOfOwner(ids.micros(place), ids.stableHash(place));
            counts[owners[i]]++;
        }
        List<ShardPart> parts = new ArrayList<>();
        int[][] places = new int[counts.length][];
        for (int shard = 0; shard < counts.length; shard++) {
            if (counts[shard] > 0) {
                places[shard] = new int[counts[shard]];
                parts.add(new ShardPart(shards.get(shard), places[shard]));
                counts[shard] = 0;
            }
        }
        for (int i = 0; i < owners.length; i++) {
            places[owners[i]][counts[owners[i]]++] = some == null ? i : some[i];
        }
        return parts;
    }

    /** How many ids of a batch of this size. */
    int count(int batchSize) {
        return places == null ? batchSize : places.length;
    }
}
