package photon.registry.client;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import photon.core.id.EventId;
import photon.registry.api.IdBatch;
import photon.registry.api.ShardMap;

/** Which slot an id belongs to, by one version of the map. Immutable, so for any thread. */
final class Routing {
    private final ShardMap map;

    /** As {@link ShardMap#shards()}. */
    private final List<ShardSlot> slots;

    Routing(ShardMap map, List<ShardSlot> slots) {
        this.map = map;
        this.slots = List.copyOf(slots);
    }

    /**
     * @param places in the batch, in order; null: all of it
     */
    record Part(ShardSlot slot, int @Nullable [] places) {}

    ShardMap map() {
        return map;
    }

    ShardSlot slot(EventId id) {
        return slots.get(map.indexOfOwner(id.micros(), id.stableHash()));
    }

    /** In order of the shards. */
    List<ShardSlot> slots() {
        return slots;
    }

    /** The batch by shard, in order of the shards. */
    List<Part> split(IdBatch ids) {
        return split(ids, null);
    }

    /**
     * Some of the batch by shard, in order of the shards.
     *
     * @param some places in it; null: all of it
     */
    List<Part> split(IdBatch ids, int @Nullable [] some) {
        if (slots.size() == 1) {
            return List.of(new Part(slots.get(0), some));
        }
        int[] owners = new int[some == null ? ids.size() : some.length];
        int[] counts = new int[slots.size()];
        for (int i = 0; i < owners.length; i++) {
            int place = some == null ? i : some[i];
            owners[i] = map.indexOfOwner(ids.micros(place), ids.stableHash(place));
            counts[owners[i]]++;
        }
        List<Part> parts = new ArrayList<>();
        int[][] places = new int[counts.length][];
        for (int slot = 0; slot < counts.length; slot++) {
            if (counts[slot] > 0) {
                places[slot] = new int[counts[slot]];
                parts.add(new Part(slots.get(slot), places[slot]));
                counts[slot] = 0;
            }
        }
        for (int i = 0; i < owners.length; i++) {
            places[owners[i]][counts[owners[i]]++] = some == null ? i : some[i];
        }
        return parts;
    }
}
