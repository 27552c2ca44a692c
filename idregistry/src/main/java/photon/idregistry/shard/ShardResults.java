package photon.idregistry.shard;

import static photon.core.error.Checks.check;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import photon.core.error.BugException;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.idregistry.table.IdPage;
import photon.proto.v1.Outcome;
import photon.proto.v1.PrepareVerdict;
import photon.registry.api.ControlClient.ScanPage;
import photon.registry.api.RegistryClient.Commit;
import photon.registry.api.ShardMap;

/** The results that {@link ShardState#apply} gives for each kind of entry. */
public final class ShardResults {
    private ShardResults() {}

    /**
     * The result of a commit entry.
     *
     * @param outcomes one {@link Outcome} number a byte, in the order of the entry
     * @param holders the packed token of the holder for each TAKEN, in order
     * @param boundaryMicros the boundary when it was applied; {@link Long#MIN_VALUE} while there is
     *     none
     * @param map with any WRONG_SHARD: the map by which it was judged
     */
    public record Committed(
            ByteString outcomes, ByteString holders, long boundaryMicros, @Nullable ShardMap map) {}

    /**
     * @throws photon.core.error.BugException if it is none
     */
    public static Committed commit(byte[] result) {
        ByteBuffer in = ByteBuffer.wrap(result);
        check(
                result.length >= Long.BYTES + Integer.BYTES,
                "Expected the result of a commit, but got %s bytes",
                result.length);
        long boundaryMicros = in.getLong();
        int count = in.getInt();
        check(
                count >= 0 && count <= in.remaining(),
                "Expected so many outcomes as there are bytes, but got %s in %s",
                count,
                in.remaining());
        ByteString whole = UnsafeByteOperations.unsafeWrap(result);
        ByteString outcomes = whole.substring(in.position(), in.position() + count);
        int taken = 0;
        boolean wrongShard = false;
        for (int i = 0; i < count; i++) {
            taken += outcomes.byteAt(i) == Outcome.TAKEN_VALUE ? 1 : 0;
            wrongShard |= outcomes.byteAt(i) == Outcome.WRONG_SHARD_VALUE;
        }
        int holdersAt = in.position() + count;
        int mapAt = holdersAt + taken * CommitToken.BYTES;
        check(
                mapAt <= result.length,
                "Expected %s holders, but got %s bytes",
                taken,
                result.length - holdersAt);
        ShardMap map = wrongShard ? ShardMap.read(in.position(mapAt)) : null;
        return new Committed(outcomes, whole.substring(holdersAt, mapAt), boundaryMicros, map);
    }

    /** One {@link photon.proto.v1.RemoveOutcome} number a byte. */
    public static ByteString remove(byte[] result) {
        return UnsafeByteOperations.unsafeWrap(result);
    }

    /** One {@link photon.proto.v1.CancelOutcome} number a byte. */
    public static ByteString cancel(byte[] result) {
        return UnsafeByteOperations.unsafeWrap(result);
    }

    /** The index at which the fence stood. */
    public static long fence(byte[] result) {
        return ByteBuffer.wrap(result).getLong();
    }

    /** The boundary that stands. */
    public static long boundary(byte[] result) {
        return ByteBuffer.wrap(result).getLong();
    }

    /**
     * @param verdict what became of it
     * @param maxAcceptedMicros as in {@link ShardState#maxAcceptedMicros()}
     */
    public record Prepared(PrepareVerdict verdict, long maxAcceptedMicros) {}

    /**
     * @throws photon.core.error.BugException if it is none
     */
    public static Prepared prepare(byte[] result) {
        PrepareVerdict verdict =
                result.length == 1 + Long.BYTES ? PrepareVerdict.forNumber(result[0]) : null;
        if (verdict == null) {
            throw new BugException(
                    "Expected the result of a prepare, but got %s bytes".formatted(result.length));
        }
        return new Prepared(verdict, ByteBuffer.wrap(result, 1, Long.BYTES).getLong());
    }

    /**
     * True if the group is that shard by that map or a newer one now, whether it was before or not.
     */
    public static boolean installed(byte[] result) {
        return result[0] == 1;
    }

    /** True if the entry was an install that the group did not follow: it is another shard. */
    public static boolean refusedInstall(byte[] entry, byte[] result) {
        return entry[0] == ShardEntries.INSTALL && !installed(result);
    }

    /**
     * Of an entry of a restore.
     *
     * @param live the shard has its map
     * @param taken false: nothing was done, since it is live, or has no head yet
     * @param outcomes one {@link photon.proto.v1.LoadOutcome} a byte
     */
    public record Loaded(boolean live, boolean taken, ByteString outcomes) {}

    /** Of a head. */
    public static Loaded restoreHead(byte[] result) {
        boolean live = result[0] == RestoredShard.LIVE;
        return new Loaded(live, !live, ByteString.EMPTY);
    }

    /** Of rows, the backup's or published ones. */
    public static Loaded restoreRows(byte[] result) {
        return new Loaded(
                result[0] == RestoredShard.LIVE,
                result.length > 1,
                ByteString.copyFrom(result, 1, result.length - 1));
    }

    /**
     * The result of a commit entry.
     *
     * @param holders of the ids that are taken, up to its position; null for none
     * @param map if there are ids of another shard
     */
    static byte[] committed(
            long boundaryMicros,
            byte[] outcomes,
            @Nullable ByteBuffer holders,
            @Nullable ShardMap map) {
        int holderBytes = holders == null ? 0 : holders.position();
        byte[] mapBytes = map == null ? new byte[0] : map.toBytes();
        ByteBuffer out =
                ByteBuffer.allocate(
                        Long.BYTES
                                + Integer.BYTES
                                + outcomes.length
                                + holderBytes
                                + mapBytes.length);
        out.putLong(boundaryMicros).putInt(outcomes.length).put(outcomes);
        if (holders != null) {
            out.put(holders.flip());
        }
        return out.put(mapBytes).array();
    }

    /** A page as objects. */
    static ScanPage page(IdPage page, long boundaryMicros) {
        ByteBuffer packedIds = page.ids();
        ByteBuffer holders = page.holders();
        List<Commit> held = new ArrayList<>(page.size());
        while (packedIds.hasRemaining()) {
            held.add(new Commit(EventId.read(packedIds), CommitToken.read(holders)));
        }
        return new ScanPage(held, page.more(), boundaryMicros);
    }

    /** The result of a prepare entry. */
    static byte[] prepared(PrepareVerdict verdict, long maxAcceptedMicros) {
        return ByteBuffer.allocate(1 + Long.BYTES)
                .put((byte) verdict.getNumber())
                .putLong(maxAcceptedMicros)
                .array();
    }
}
