package photon.idregistry.shard;

import static photon.core.error.Checks.check;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import photon.core.id.EventId;
import photon.idregistry.replicated.StateFile;
import photon.idregistry.table.IdRow;
import photon.idregistry.table.IdTable;
import photon.proto.v1.LoadOutcome;
import photon.proto.v1.Outcome;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.ShardMap;

/**
 * What a shard takes from a backup, and from what was published behind it (docs/protocol.md section
 * 10). It has a head, and no map until the control group says that all have reported: a shard
 * without a map accepts nothing, so what comes here in whatever order, and twice, is all there is.
 *
 * <ul>
 *   <li>The backup's holder is put where nobody holds the id: it never replaces a published one.
 *   <li>A published token replaces the holder while there is no map. Where there is one the shard
 *       is live, and the token is put only where nobody holds the id: what the shard has accepted
 *       since stands. An id that {@linkplain OnceUnmatched is to be joined unmatched} is held by
 *       nobody: a published unmatched token is put there.
 * </ul>
 */
final class RestoredShard {
    /** The answer to a head, or to rows; outcomes follow. */
    static final byte DONE = 1;

    /** It has its map: neither head nor backup is taken any more. */
    static final byte LIVE = 2;

    /** It has no head yet. */
    static final byte HEADLESS = 3;

    private @Nullable Shard self;
    private @Nullable ShardMap map;

    /** The boundary when the shard got its map. */
    private long beganMicros = Long.MIN_VALUE;

    /** What a head says beside that. */
    record Head(int lostSlots, long boundaryMicros, long maxAcceptedMicros) {}

    /**
     * @param live whether the shard has its map
     * @return null if it is not taken
     */
    @Nullable Head head(ByteBuffer in, boolean live) {
        check(
                in.remaining() > 3 * Integer.BYTES + 2 * Long.BYTES,
                "Expected a head in %s bytes",
                in.remaining());
        Shard shard = new Shard(in.getInt(), in.getInt());
        Head head = new Head(in.getInt(), in.getLong(), in.getLong());
        ShardMap told = ShardMap.read(in);
        if (live) {
            return null;
        }
        check(told.contains(shard), "Expected %s in %s", shard, told);
        self = shard;
        map = told;
        return head;
    }

    /** It gets its map. */
    void begins(long boundaryMicros) {
        if (map != null) {
            beganMicros = boundaryMicros;
        }
    }

    /** What is to be done with a row of whichever kind; {@link LoadOutcome#LOAD_PUT} if it fits. */
    LoadOutcome judge(IdRow row, long boundaryMicros, @Nullable ShardMap live, @Nullable Shard me) {
        ShardMap known = live == null ? map : live;
        Shard shard = live == null ? self : me;
        if (known == null || shard == null || !known.owns(shard, row.micros(), row.hash())) {
            return LoadOutcome.LOAD_WRONG_SHARD;
        }
        if (row.micros() >= boundaryMicros) {
            return LoadOutcome.LOAD_PUT;
        }
        // Another one may have had it since, and is forgotten.
        return live != null && row.micros() >= beganMicros
                ? LoadOutcome.LOAD_FORGOTTEN
                : LoadOutcome.LOAD_TOO_OLD;
    }

    /** What {@link #put} would do where the shard is live. The caller has judged the row. */
    static LoadOutcome look(IdTable ids, IdRow row) {
        if (!ids.find(row)) {
            return LoadOutcome.LOAD_PUT;
        }
        if (row.isHolder()) {
            return LoadOutcome.LOAD_SAME;
        }
        return OnceUnmatched.mayTakeOver(row) ? LoadOutcome.LOAD_PUT : LoadOutcome.LOAD_TAKEN;
    }

    /**
     * What would become of published ids, of which nothing is changed: a {@link LoadOutcome} each,
     * a byte each. For a shard that is live.
     */
    byte[] look(
            IdTable ids,
            IdRow row,
            ByteBuffer packedIds,
            ByteBuffer packedTokens,
            long boundaryMicros,
            @Nullable ShardMap live,
            @Nullable Shard me) {
        byte[] outcomes = new byte[packedIds.remaining() / EventId.BYTES];
        for (int i = 0; i < outcomes.length; i++) {
            row.readId(packedIds);
            row.readToken(packedTokens);
            LoadOutcome outcome = judge(row, boundaryMicros, live, me);
            if (outcome == LoadOutcome.LOAD_PUT) {
                outcome = look(ids, row);
            }
            outcomes[i] = (byte) outcome.getNumber();
        }
        return outcomes;
    }

    /**
     * Puts the row. The caller has judged it.
     *
     * @param published it is no row of a backup
     * @param live the shard has its map
     */
    static LoadOutcome put(IdTable ids, IdRow row, boolean published, boolean live) {
        if (ids.putIfAbsent(row)) {
            return LoadOutcome.LOAD_PUT;
        }
        if (row.isHolder()) {
            return LoadOutcome.LOAD_SAME;
        }
        if (!published) {
            return LoadOutcome.LOAD_TAKEN;
        }
        if (OnceUnmatched.judge(ids, row) == Outcome.ACCEPTED_VALUE) {
            return LoadOutcome.LOAD_PUT;
        }
        if (live) {
            return LoadOutcome.LOAD_TAKEN;
        }
        ids.remove(row);
        check(ids.putIfAbsent(row), "Expected %s to be free once it was removed", row);
        return LoadOutcome.LOAD_REPLACED;
    }

    boolean hasHead() {
        return map != null;
    }

    int contentHash() {
        return Objects.hash(self, map, beganMicros);
    }

    void write(DataOutput out) throws IOException {
        ShardMap known = map;
        Shard shard = self;
        byte[] bytes = known == null ? new byte[0] : known.toBytes();
        out.writeInt(bytes.length);
        out.write(bytes);
        out.writeInt(shard == null ? 0 : shard.epoch());
        out.writeInt(shard == null ? 0 : shard.number());
        out.writeLong(beganMicros);
    }

    /** Replaces all that is here. */
    void read(DataInput in) throws IOException {
        byte[] bytes = StateFile.readBytes(in, ShardMap.BYTES_MAX);
        Shard shard = new Shard(in.readInt(), in.readInt());
        map = bytes.length == 0 ? null : ShardMap.read(ByteBuffer.wrap(bytes));
        self = bytes.length == 0 ? null : shard;
        beganMicros = in.readLong();
    }
}
