package photon.idregistry.shard;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The reshard attempts that one shard is prepared for: it refuses ids from the earliest of their
 * starts on. A prepare is given up only with its attempt's decision, never by itself
 * (docs/protocol.md section 4).
 */
final class PreparedEpochs {
    /** Attempt to start: all built on the shard's present map. */
    private final TreeMap<Long, Long> starts = new TreeMap<>();

    /** Attempts that were aborted, so that a delayed prepare of one is ignored. */
    private final TreeSet<Long> aborted = new TreeSet<>();

    /** Attempts below were all settled in the control group, which bounds {@link #aborted}. */
    private long lowestOpen;

    private long fromMicros = Long.MAX_VALUE;

    /** Ids from here on are refused. */
    long fromMicros() {
        return fromMicros;
    }

    boolean isPrepared(long attempt) {
        return starts.containsKey(attempt);
    }

    boolean isSettled(long attempt) {
        return attempt < lowestOpen || aborted.contains(attempt);
    }

    void prepare(long attempt, long startMicros) {
        starts.put(attempt, startMicros);
        refuseFromEarliest();
    }

    /**
     * Gives up this attempt's prepare, and no other's: one that lies below {@code newLowestOpen}
     * may be committed, and its ids another group's.
     *
     * @param newLowestOpen attempts below are settled
     */
    void abort(long attempt, long newLowestOpen) {
        starts.remove(attempt);
        aborted.add(attempt);
        lowestOpen = Math.max(lowestOpen, newLowestOpen);
        aborted.headSet(lowestOpen).clear();
        refuseFromEarliest();
    }

    /** A newer map is there: what was built on the older one is settled, and the map says how. */
    void mapInstalled() {
        starts.clear();
        refuseFromEarliest();
    }

    private void refuseFromEarliest() {
        fromMicros = starts.values().stream().mapToLong(s -> s).min().orElse(Long.MAX_VALUE);
    }

    /** In order. */
    List<Long> attempts() {
        return new ArrayList<>(starts.keySet());
    }

    int contentHash() {
        return Objects.hash(starts, aborted, lowestOpen);
    }

    void clear() {
        starts.clear();
        aborted.clear();
        lowestOpen = 0;
        refuseFromEarliest();
    }

    void write(DataOutput out) throws IOException {
        out.writeLong(lowestOpen);
        out.writeInt(starts.size());
        for (Map.Entry<Long, Long> prepared : starts.entrySet()) {
            out.writeLong(prepared.getKey());
            out.writeLong(prepared.getValue());
        }
        out.writeInt(aborted.size());
        for (long attempt : aborted) {
            out.writeLong(attempt);
        }
    }

    /** Replaces everything. */
    void read(DataInput in) throws IOException {
        clear();
        lowestOpen = in.readLong();
        int prepared = in.readInt();
        for (int i = 0; i < prepared; i++) {
            starts.put(in.readLong(), in.readLong());
        }
        int settled = in.readInt();
        for (int i = 0; i < settled; i++) {
            aborted.add(in.readLong());
        }
        refuseFromEarliest();
    }
}
