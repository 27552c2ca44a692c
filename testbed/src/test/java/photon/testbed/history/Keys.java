package photon.testbed.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.core.id.UserKey;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.ShardMap;

/**
 * Which ids and tokens the callers ask with, from a seed. Some ids are <i>hot</i> for a while: many
 * callers want them, with tokens of their own. All are kept for late repetitions. Not thread-safe.
 */
final class Keys {
    static final int SLOTS = 6;
    private static final int HOT = 24;
    private static final int HOT_OPERATIONS_MAX = 24;
    private static final int KEPT_MAX = 20_000;

    /** Tokens are made by joiners' slots; these are theirs alone. */
    private static final int FIRST_SLOT = 1_000;

    private static final long HOUR_MICROS = 3_600_000_000L;

    private final Random random;
    private final ShardMap map;
    private final long nowMicros;
    private final List<List<Key>> hot = new ArrayList<>();
    private final List<List<Key>> kept = new ArrayList<>();
    private final int[] generations = new int[SLOTS];
    private long lastId;
    private long lastSequence;

    /** An id, and all tokens that were tried for it. */
    static final class Key {
        final EventId id;
        final List<Attempt> attempts = new ArrayList<>();
        private int operations;

        Key(EventId id) {
            this.id = id;
        }
    }

    /**
     * @param leaderChanges how often the shard's leader had changed when it was first sent
     */
    record Attempt(CommitToken token, long sentNanos, int leaderChanges) {}

    Keys(Random random, ShardMap map, long nowMicros) {
        this.random = random;
        this.map = map;
        this.nowMicros = nowMicros;
        for (int i = 0; i < map.lastShards().size(); i++) {
            hot.add(new ArrayList<>());
            kept.add(new ArrayList<>());
        }
        java.util.Arrays.fill(generations, 1);
    }

    /** One that was never used. */
    Key fresh(Shard shard) {
        EventId id;
        do {
            lastId++;
            // Most are of now, the rest of the last hour, and no two of one moment.
            long age = random.nextInt(4) == 0 ? random.nextLong(HOUR_MICROS) : 0;
            id =
                    EventId.ofUser(
                            nowMicros - age - random.nextInt(1_000_000),
                            UserKey.of(List.of("id" + lastId)));
        } while (!map.owner(id).equals(shard));
        Key key = new Key(id);
        List<Key> keep = kept.get(shard.number());
        if (keep.size() < KEPT_MAX) {
            keep.add(key);
        } else {
            keep.set(random.nextInt(KEPT_MAX), key);
        }
        return key;
    }

    /** One that others want as well. */
    Key hot(Shard shard) {
        List<Key> keys = hot.get(shard.number());
        if (keys.size() < HOT) {
            keys.add(fresh(shard));
        }
        int which = random.nextInt(keys.size());
        Key key = keys.get(which);
        if (key.operations++ > HOT_OPERATIONS_MAX) {
            key = fresh(shard);
            keys.set(which, key);
        }
        return key;
    }

    /** One that was used before, at any time; a fresh one if there is none. */
    Key old(Shard shard) {
        List<Key> keys = kept.get(shard.number());
        return keys.isEmpty() ? fresh(shard) : keys.get(random.nextInt(keys.size()));
    }

    /** All that are kept. */
    List<Key> kept(Shard shard) {
        return kept.get(shard.number());
    }

    /** Of a live incarnation mostly, of one that is fenced or will be sometimes. */
    CommitToken token() {
        int slot = random.nextInt(SLOTS);
        int generation = generations[slot];
        int odd = random.nextInt(16);
        if (odd == 0 && generation > 1) {
            generation--;
        }
        return new CommitToken(FIRST_SLOT + slot, generation, ++lastSequence);
    }

    /** The generations below this one of its slot are fenced, or soon will be. */
    Incarnation nextGeneration() {
        int slot = random.nextInt(SLOTS);
        return new Incarnation(FIRST_SLOT + slot, ++generations[slot]);
    }
}
