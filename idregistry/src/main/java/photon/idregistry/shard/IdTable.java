package photon.idregistry.shard;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.idregistry.api.RegistryClient.Commit;

/**
 * Ids and their holders, in buckets by time: old ones are dropped as whole buckets, and nearly all
 * work falls on the one or two newest.
 */
final class IdTable {
    /** Small enough that a bucket's growth is a short stall, and that it fits the row's 32 bits. */
    static final long BUCKET_MICROS = 60_000_000L;

    private final TreeMap<Long, IdBucket> buckets = new TreeMap<>();
    private @Nullable IdBucket lastUsed;
    private long size;

    long size() {
        return size;
    }

    private static long startOf(long micros) {
        return micros - Math.floorMod(micros, BUCKET_MICROS);
    }

    private @Nullable IdBucket bucket(EventId id) {
        long start = startOf(id.micros());
        IdBucket last = lastUsed;
        if (last != null && last.startMicros() == start) {
            return last;
        }
        IdBucket found = buckets.get(start);
        if (found != null) {
            lastUsed = found;
        }
        return found;
    }

    @Nullable CommitToken get(EventId id) {
        IdBucket bucket = bucket(id);
        return bucket == null ? null : bucket.get(id);
    }

    /**
     * @return the holder that was there before, which then stays; null if the id was free
     */
    @Nullable CommitToken putIfAbsent(EventId id, CommitToken token) {
        IdBucket bucket = bucket(id);
        if (bucket == null) {
            bucket = new IdBucket(startOf(id.micros()));
            buckets.put(bucket.startMicros(), bucket);
            lastUsed = bucket;
        }
        CommitToken holder = bucket.putIfAbsent(id, token);
        size += holder == null ? 1 : 0;
        return holder;
    }

    void remove(EventId id) {
        IdBucket bucket = bucket(id);
        if (bucket != null) {
            size -= bucket.size();
            bucket.remove(id);
            size += bucket.size();
            dropIfEmpty(bucket);
        }
    }

    private void dropIfEmpty(IdBucket bucket) {
        if (bucket.size() == 0) {
            buckets.remove(bucket.startMicros());
            lastUsed = null;
        }
    }

    /** Keeps the ids from this timestamp on. */
    void dropBelow(long micros) {
        while (!buckets.isEmpty()
                && buckets.firstKey() < micros
                && micros - buckets.firstKey() >= BUCKET_MICROS) {
            size -= buckets.pollFirstEntry().getValue().size();
        }
        lastUsed = null;
        if (!buckets.isEmpty() && buckets.firstKey() < micros) {
            IdBucket partial = buckets.firstEntry().getValue();
            size -= partial.size();
            partial.dropBelow(micros);
            size += partial.size();
            dropIfEmpty(partial);
        }
    }

    /**
     * What the incarnation's tokens hold, in id order.
     *
     * @param after null: from the start
     * @param limit at most so many
     */
    List<Commit> heldBy(Incarnation incarnation, @Nullable EventId after, int limit) {
        List<Commit> held = new ArrayList<>();
        long from = after == null ? Long.MIN_VALUE : startOf(after.micros());
        for (IdBucket bucket : buckets.tailMap(from, true).values()) {
            List<Commit> here = new ArrayList<>();
            bucket.collect(incarnation.slot(), incarnation.generation(), here);
            if (after != null) {
                here.removeIf(commit -> commit.id().compareTo(after) <= 0);
            }
            here.sort(Comparator.comparing(Commit::id));
            held.addAll(here.subList(0, Math.min(here.size(), limit - held.size())));
            if (held.size() == limit) {
                break;
            }
        }
        return held;
    }

    /** The same for the same ids and holders, in whatever order they came. */
    long contentHash() {
        return buckets.values().stream().mapToLong(IdBucket::contentHash).sum();
    }

    void write(DataOutput out) throws IOException {
        out.writeInt(buckets.size());
        for (IdBucket bucket : buckets.values()) {
            bucket.write(out);
        }
    }

    /** Replaces everything. */
    void read(DataInput in) throws IOException {
        buckets.clear();
        lastUsed = null;
        size = 0;
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            IdBucket bucket = IdBucket.read(in);
            buckets.put(bucket.startMicros(), bucket);
            size += bucket.size();
        }
    }
}
