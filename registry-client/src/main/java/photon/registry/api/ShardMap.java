package photon.registry.api;

import static photon.core.error.Checks.check;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import photon.core.id.EventId;
import photon.registry.api.RegistryClient.Shard;

/**
 * Which shard owns an id: the id's timestamp names the epoch, for ever, and its hash the shard of
 * that epoch. Ids from before the first epoch belonged to epochs that were dropped: they go to the
 * first one's shards, whose boundaries have passed them. Immutable.
 *
 * @param version grows with every change
 * @param epochs in order of their start; never empty
 */
public record ShardMap(long version, List<Epoch> epochs) {
    /** A pipeline's most shards: each is a Raft group. */
    public static final int SHARDS_MAX = 1_024;

    /** The number of every pipeline's first epoch. Shards are numbered from 0. */
    public static final int FIRST_EPOCH = 1;

    /** More than any map has: an epoch is a person's decision. */
    public static final int BYTES_MAX = 1 << 20;

    private static final int HEADER_BYTES = Long.BYTES + Integer.BYTES;
    private static final int EPOCH_BYTES = Integer.BYTES + Long.BYTES + Integer.BYTES;

    /**
     * @param startMicros the first timestamp that belongs to it; a pipeline's very first epoch
     *     starts at {@link Long#MIN_VALUE}
     * @param shards how many
     */
    public record Epoch(int number, long startMicros, int shards) {
        public Epoch {
            check(number > 0, "Expected an epoch number above 0, but got %s", number);
            check(shards > 0, "Expected a shard count above 0, but got %s", shards);
        }

        public photon.proto.v1.Epoch toProto() {
            return photon.proto.v1.Epoch.newBuilder()
                    .setNumber(number)
                    .setStartMicros(startMicros)
                    .setShards(shards)
                    .build();
        }

        public static Epoch of(photon.proto.v1.Epoch epoch) {
            return new Epoch(epoch.getNumber(), epoch.getStartMicros(), epoch.getShards());
        }
    }

    public ShardMap {
        epochs = List.copyOf(epochs);
        check(!epochs.isEmpty(), "Expected a shard map with an epoch, but got version %s", version);
        for (int i = 1; i < epochs.size(); i++) {
            Epoch before = epochs.get(i - 1);
            Epoch epoch = epochs.get(i);
            check(
                    epoch.number() > before.number() && epoch.startMicros() > before.startMicros(),
                    "Expected epochs in order, but got %s behind %s",
                    epoch,
                    before);
        }
    }

    /** The map of a new pipeline: one epoch. */
    public static ShardMap initial(int shards) {
        return new ShardMap(1, List.of(new Epoch(FIRST_EPOCH, Long.MIN_VALUE, shards)));
    }

    /** The shard that owns the id. */
    public Shard owner(EventId id) {
        Epoch epoch = epochOf(id.micros());
        return new Shard(epoch.number(), shardOf(id.stableHash(), epoch));
    }

    /**
     * The owner's place in {@link #shards()}, without an object.
     *
     * @param stableHash {@link EventId#stableHash()}
     */
    public int indexOfOwner(long micros, long stableHash) {
        int i = 0;
        int before = 0;
        while (i + 1 < epochs.size() && epochs.get(i + 1).startMicros() <= micros) {
            before += epochs.get(i++).shards();
        }
        return before + (int) Long.remainderUnsigned(stableHash, epochs.get(i).shards());
    }

    /**
     * True if the shard owns the id.
     *
     * @param stableHash {@link EventId#stableHash()}
     */
    public boolean owns(Shard shard, long micros, long stableHash) {
        Epoch epoch = epochOf(micros);
        return epoch.number() == shard.epoch() && shardOf(stableHash, epoch) == shard.number();
    }

    private Epoch epochOf(long micros) {
        int i = epochs.size() - 1;
        while (i > 0 && epochs.get(i).startMicros() > micros) {
            i--;
        }
        return epochs.get(i);
    }

    private static int shardOf(long stableHash, Epoch epoch) {
        return (int) Long.remainderUnsigned(stableHash, epoch.shards());
    }

    /** The next map: ids from the start on belong to a new epoch of so many shards. */
    public ShardMap withEpoch(long startMicros, int shards) {
        List<Epoch> more = new ArrayList<>(epochs);
        more.add(new Epoch(lastEpoch().number() + 1, startMicros, shards));
        return new ShardMap(version + 1, more);
    }

    /** The next map: what belonged to the first epoch is too old, and its shards are dropped. */
    public ShardMap withoutFirstEpoch() {
        return new ShardMap(version + 1, epochs.subList(1, epochs.size()));
    }

    /** The one that owns what is older than all others' starts, too. */
    public Epoch firstEpoch() {
        return epochs.get(0);
    }

    /** The one that owns all ids from its start on. */
    public Epoch lastEpoch() {
        return epochs.get(epochs.size() - 1);
    }

    /** The shards of the last epoch, in order. */
    public List<Shard> lastShards() {
        return shardsOf(lastEpoch());
    }

    /** An epoch's shards, in order. */
    public static List<Shard> shardsOf(Epoch epoch) {
        List<Shard> all = new ArrayList<>();
        for (int number = 0; number < epoch.shards(); number++) {
            all.add(new Shard(epoch.number(), number));
        }
        return all;
    }

    /** True if this is the other map with epochs added behind its last, and first ones dropped. */
    public boolean follows(ShardMap other) {
        List<Epoch> kept =
                other.epochs.stream()
                        .filter(epoch -> epoch.number() >= firstEpoch().number())
                        .toList();
        return version > other.version
                && !kept.isEmpty()
                && epochs.size() >= kept.size()
                && epochs.subList(0, kept.size()).equals(kept);
    }

    /** The first timestamp that no shard of this epoch owns any more; null if there is none. */
    public @Nullable Long endMicros(int epochNumber) {
        for (int i = 0; i + 1 < epochs.size(); i++) {
            if (epochs.get(i).number() == epochNumber) {
                return epochs.get(i + 1).startMicros();
            }
        }
        return null;
    }

    /** True if the map has such a shard. */
    public boolean contains(Shard shard) {
        return epochs.stream()
                .anyMatch(
                        e ->
                                e.number() == shard.epoch()
                                        && shard.number() >= 0
                                        && shard.number() < e.shards());
    }

    /** The shards that may own an id from one timestamp to before another, in order. */
    public List<Shard> shardsWithin(long fromMicros, long toMicros) {
        List<Shard> all = shards();
        all.removeIf(
                shard -> {
                    Long end = endMicros(shard.epoch());
                    return (end != null && end <= fromMicros)
                            || ownFromMicros(shard.epoch()) >= toMicros;
                });
        return all;
    }

    /** What an epoch's shards may own begins there. */
    private long ownFromMicros(int epochNumber) {
        return epochs.stream()
                .skip(1)
                .filter(epoch -> epoch.number() == epochNumber)
                .findFirst()
                .map(Epoch::startMicros)
                .orElse(Long.MIN_VALUE);
    }

    /** Every shard of every epoch, in order. */
    public List<Shard> shards() {
        List<Shard> all = new ArrayList<>();
        epochs.forEach(epoch -> all.addAll(shardsOf(epoch)));
        return all;
    }

    /** Its form in entries, results and snapshots. */
    public byte[] toBytes() {
        ByteBuffer out =
                ByteBuffer.allocate(Long.BYTES + Integer.BYTES + epochs.size() * EPOCH_BYTES);
        out.putLong(version).putInt(epochs.size());
        for (Epoch epoch : epochs) {
            out.putInt(epoch.number()).putLong(epoch.startMicros()).putInt(epoch.shards());
        }
        return out.array();
    }

    /**
     * The opposite of {@link #toBytes()}; moves the buffer on.
     *
     * @throws photon.core.error.BugException if it is none
     */
    public static ShardMap read(ByteBuffer from) {
        check(
                from.remaining() >= HEADER_BYTES,
                "Expected a shard map, but got %s bytes",
                from.remaining());
        long version = from.getLong();
        int count = from.getInt();
        check(
                count > 0 && count <= from.remaining() / EPOCH_BYTES,
                "Expected a shard map with its epochs, but it has %s in %s bytes",
                count,
                from.remaining());
        List<Epoch> epochs = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            epochs.add(new Epoch(from.getInt(), from.getLong(), from.getInt()));
        }
        return new ShardMap(version, epochs);
    }

    public photon.proto.v1.ShardMap toProto() {
        photon.proto.v1.ShardMap.Builder map =
                photon.proto.v1.ShardMap.newBuilder().setVersion(version);
        epochs.forEach(epoch -> map.addEpochs(epoch.toProto()));
        return map.build();
    }

    public static ShardMap of(photon.proto.v1.ShardMap map) {
        return new ShardMap(map.getVersion(), map.getEpochsList().stream().map(Epoch::of).toList());
    }
}
