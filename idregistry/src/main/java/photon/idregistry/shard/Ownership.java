package photon.idregistry.shard;

import static photon.core.error.Checks.check;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import photon.core.id.EventId;
import photon.idregistry.replicated.StateFile;
import photon.proto.v1.Outcome;
import photon.proto.v1.PrepareVerdict;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.ShardMap;

/**
 * Which ids a group may decide about: those of one shard by its map, but none that a new epoch may
 * take (docs/protocol.md section 4).
 */
final class Ownership {
    private final PreparedEpochs prepared = new PreparedEpochs();

    /** Null until the map is installed: the group accepts nothing before. */
    private @Nullable ShardMap map;

    private @Nullable Shard self;

    @Nullable ShardMap map() {
        return map;
    }

    @Nullable Shard self() {
        return self;
    }

    /** The outcome of an id that is not to be decided here, now; {@link Outcome#ACCEPTED} else. */
    int judge(EventId id) {
        return judge(id.micros(), id.stableHash());
    }

    int judge(long micros, long stableHash) {
        ShardMap known = map;
        Shard shard = self;
        if (known == null || shard == null) {
            return Outcome.EPOCH_PREPARED_VALUE;
        }
        if (!known.owns(shard, micros, stableHash)) {
            return Outcome.WRONG_SHARD_VALUE;
        }
        return micros >= prepared.fromMicros()
                ? Outcome.EPOCH_PREPARED_VALUE
                : Outcome.ACCEPTED_VALUE;
    }

    /**
     * A group becomes one shard, once: what it has accepted can belong to no other. Its map is only
     * ever followed by a newer one.
     *
     * @param boundaryMicros the group's; ids of dropped epochs must be below it
     * @return true if it is that shard by that map or a newer one now
     */
    boolean install(Shard shard, ShardMap installed, long maxAcceptedMicros, long boundaryMicros) {
        ShardMap known = map;
        if (known == null) {
            check(installed.contains(shard), "Expected %s in %s", shard, installed);
            map = installed;
            self = shard;
            return true;
        }
        if (!shard.equals(self)) {
            return false;
        }
        if (installed.follows(known)) {
            Long end = installed.endMicros(shard.epoch());
            check(
                    end == null || maxAcceptedMicros < end,
                    "Expected %s to have accepted ids below %s only, but it has accepted %s",
                    shard,
                    end,
                    maxAcceptedMicros);
            check(
                    shard.epoch() != installed.firstEpoch().number()
                            || installed.firstEpoch().startMicros() <= boundaryMicros,
                    "Expected the boundary of %s at or above the start of the first epoch of %s,"
                            + " but it is %s",
                    shard,
                    installed,
                    boundaryMicros);
            map = installed;
            prepared.mapInstalled();
            return true;
        }
        return installed.equals(known) || known.follows(installed);
    }

    PrepareVerdict prepare(
            long attempt, long baseVersion, long startMicros, long maxAcceptedMicros) {
        long version = map == null ? Long.MIN_VALUE : map.version();
        if (prepared.isPrepared(attempt)) {
            return PrepareVerdict.PREPARED;
        }
        // The map moved on from the base: the decision was made, for this attempt or another.
        if (prepared.isSettled(attempt) || baseVersion < version) {
            return PrepareVerdict.PREPARE_SETTLED;
        }
        if (baseVersion > version) {
            return PrepareVerdict.PREPARE_TOO_EARLY;
        }
        if (startMicros <= maxAcceptedMicros) {
            return PrepareVerdict.PREPARE_TOO_LATE;
        }
        prepared.prepare(attempt, startMicros);
        return PrepareVerdict.PREPARED;
    }

    void abort(long attempt, long lowestOpen) {
        prepared.abort(attempt, lowestOpen);
    }

    List<Long> preparedAttempts() {
        return prepared.attempts();
    }

    int contentHash() {
        return Objects.hash(map, self, prepared.contentHash());
    }

    void writeMap(DataOutput out) throws IOException {
        byte[] mapBytes = map == null ? new byte[0] : map.toBytes();
        out.writeInt(mapBytes.length);
        out.write(mapBytes);
        out.writeInt(self == null ? 0 : self.epoch());
        out.writeInt(self == null ? 0 : self.number());
    }

    /** Replaces everything. */
    void readMap(DataInput in) throws IOException {
        byte[] mapBytes = StateFile.readBytes(in, ShardMap.BYTES_MAX);
        Shard shard = new Shard(in.readInt(), in.readInt());
        map = mapBytes.length == 0 ? null : ShardMap.read(ByteBuffer.wrap(mapBytes));
        self = mapBytes.length == 0 ? null : shard;
        prepared.clear();
    }

    void writePrepared(DataOutput out) throws IOException {
        prepared.write(out);
    }

    void readPrepared(DataInput in) throws IOException {
        prepared.read(in);
    }
}
