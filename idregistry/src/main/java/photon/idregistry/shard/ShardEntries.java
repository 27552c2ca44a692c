package photon.idregistry.shard;

import static photon.core.error.Checks.check;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.ShardMap;

/**
 * The entries of a shard's log, fixed-width and big-endian. The first byte is kind and version in
 * one: an entry once written is replayed for ever, so a changed rule is a new kind beside the old.
 */
public final class ShardEntries {
    /** count int32, count ids, count tokens. */
    static final byte COMMIT = 1;

    /** As COMMIT. */
    static final byte REMOVE = 2;

    /** count int32, count x (slot uint32, lowest live generation uint32). */
    static final byte FENCE = 3;

    /** boundary int64. */
    static final byte BOUNDARY = 4;

    /** epoch int32, shard int32, map, then as FENCE. */
    static final byte INSTALL = 5;

    /** attempt int64, base version int64, start int64. */
    static final byte PREPARE = 6;

    /** attempt int64, lowest open attempt int64. */
    static final byte ABORT = 7;

    /** epoch int32, shard int32, lost slots int32, boundary int64, max accepted int64, map. */
    static final byte RESTORE_HEAD = 24;

    /** As COMMIT. */
    static final byte RESTORE_BACKUP = 25;

    /** As COMMIT. */
    static final byte RESTORE_PUBLISHED = 26;

    /** limit int32, then as COMMIT. */
    static final byte CANCEL = 30;

    /**
     * Tokens of one slot that a shard remembers as cancelled at most. An entry carries it, so that
     * replicas judge alike whatever their version.
     */
    public static final int CANCELLED_PER_SLOT_MAX = 65_536;

    private ShardEntries() {}

    /**
     * Tells a new group which shard of a backup it is. It accepts nothing before {@link #install}
     * still.
     *
     * @param lostSlots slots up to this number are fenced unless the fence table says otherwise
     * @param boundaryMicros of the backup's shard
     * @param maxAcceptedMicros of the backup's shard
     */
    public static byte[] restoreHead(
            ShardMap map, Shard shard, int lostSlots, long boundaryMicros, long maxAcceptedMicros) {
        check(map.contains(shard), "Expected a shard of the map, but got %s in %s", shard, map);
        byte[] mapBytes = map.toBytes();
        return ByteBuffer.allocate(1 + 3 * Integer.BYTES + 2 * Long.BYTES + mapBytes.length)
                .put(RESTORE_HEAD)
                .putInt(shard.epoch())
                .putInt(shard.number())
                .putInt(lostSlots)
                .putLong(boundaryMicros)
                .putLong(maxAcceptedMicros)
                .put(mapBytes)
                .array();
    }

    /** What a backup's shard holds: put where nobody holds the id. */
    public static byte[] restoreBackup(ByteString ids, ByteString tokens) {
        return packed(RESTORE_BACKUP, List.of(ids), List.of(tokens));
    }

    /** What is published: its tokens replace the backup's. */
    public static byte[] restorePublished(ByteString ids, ByteString tokens) {
        return packed(RESTORE_PUBLISHED, List.of(ids), List.of(tokens));
    }

    /** How many ids a commit entry has. */
    public static int idsOf(byte[] commit) {
        check(commit[0] == COMMIT, "Expected a commit entry, but got kind %s", commit[0]);
        return ByteBuffer.wrap(commit).getInt(1);
    }

    /**
     * Whether a request's packed ids and tokens may go into an entry: whole, equally many, and each
     * one valid. What a peer sent must be asked this on arrival, since a bad entry in the log halts
     * every replica. {@link CommitToken#JOIN_UNMATCHED} is no attempt's: nobody may ask with it.
     */
    public static boolean wellFormed(ByteString ids, ByteString tokens) {
        return wellFormed(ids, tokens, CommitToken.JOIN_UNMATCHED.slot() - 1);
    }

    /** The same of rows of a backup, which has {@link CommitToken#JOIN_UNMATCHED} too. */
    public static boolean wellFormedRows(ByteString ids, ByteString tokens) {
        return wellFormed(ids, tokens, CommitToken.JOIN_UNMATCHED.slot());
    }

    private static boolean wellFormed(ByteString ids, ByteString tokens, int slotMax) {
        int count = ids.size() / EventId.BYTES;
        if (ids.size() != count * EventId.BYTES || tokens.size() != count * CommitToken.BYTES) {
            return false;
        }
        ByteBuffer id = ids.asReadOnlyByteBuffer().slice();
        ByteBuffer token = tokens.asReadOnlyByteBuffer().slice();
        for (int i = 0; i < count; i++) {
            int at = i * CommitToken.BYTES;
            if (id.get(i * EventId.BYTES) < 0
                    || token.getInt(at) <= 0
                    || token.getInt(at) > slotMax
                    || token.getInt(at + Integer.BYTES) <= 0) {
                return false;
            }
        }
        return true;
    }

    /** Whether a token of packed ones tells that its id is joined unmatched. */
    public static boolean anyUnmatched(ByteString tokens) {
        ByteBuffer packed = tokens.asReadOnlyByteBuffer().slice();
        for (int at = Long.BYTES; at < packed.limit(); at += CommitToken.BYTES) {
            if (CommitToken.isUnmatched(packed.getLong(at))) {
                return true;
            }
        }
        return false;
    }

    public static byte[] commit(ByteString ids, ByteString tokens) {
        return commit(List.of(ids), List.of(tokens));
    }

    /** Whether {@link ShardResults#commit} reads what the entry gives. */
    public static boolean isCommit(byte[] entry) {
        return entry[0] == COMMIT;
    }

    /** One entry of several requests, in their order. */
    public static byte[] commit(List<ByteString> ids, List<ByteString> tokens) {
        return packed(COMMIT, ids, tokens);
    }

    public static byte[] remove(ByteString ids, ByteString tokens) {
        return packed(REMOVE, List.of(ids), List.of(tokens));
    }

    /** Ends tokens for good. */
    public static byte[] cancel(ByteString ids, ByteString tokens) {
        return cancel(CANCELLED_PER_SLOT_MAX, ids, tokens);
    }

    /**
     * @param perSlotMax tokens of one slot that are remembered at most; 1 or more
     */
    static byte[] cancel(int perSlotMax, ByteString ids, ByteString tokens) {
        byte[] packed = packed(CANCEL, List.of(ids), List.of(tokens));
        return ByteBuffer.allocate(packed.length + Integer.BYTES)
                .put(CANCEL)
                .putInt(perSlotMax)
                .put(packed, 1, packed.length - 1)
                .array();
    }

    private static byte[] packed(byte kind, List<ByteString> ids, List<ByteString> tokens) {
        int idBytes = ids.stream().mapToInt(ByteString::size).sum();
        int tokenBytes = tokens.stream().mapToInt(ByteString::size).sum();
        int count = idBytes / EventId.BYTES;
        check(
                idBytes == count * EventId.BYTES && tokenBytes == count * CommitToken.BYTES,
                "Expected as many tokens as ids, but got %s and %s bytes",
                tokenBytes,
                idBytes);
        ByteBuffer out = ByteBuffer.allocate(1 + Integer.BYTES + idBytes + tokenBytes);
        out.put(kind).putInt(count);
        ids.forEach(part -> part.copyTo(out));
        tokens.forEach(part -> part.copyTo(out));
        return out.array();
    }

    /** Fences every generation of the slot below this one. */
    public static byte[] fence(int slot, int lowestLiveGeneration) {
        return fence(Map.of(slot, lowestLiveGeneration));
    }

    /**
     * @param lowestLive slot to lowest live generation
     */
    public static byte[] fence(Map<Integer, Integer> lowestLive) {
        ByteBuffer out = ByteBuffer.allocate(1 + fenceBytes(lowestLive)).put(FENCE);
        putFences(out, lowestLive);
        return out.array();
    }

    private static int fenceBytes(Map<Integer, Integer> lowestLive) {
        return Integer.BYTES + lowestLive.size() * 2 * Integer.BYTES;
    }

    private static void putFences(ByteBuffer out, Map<Integer, Integer> lowestLive) {
        out.putInt(lowestLive.size());
        Set<Map.Entry<Integer, Integer>> rows = lowestLive.entrySet();
        rows.forEach(row -> out.putInt(row.getKey()).putInt(row.getValue()));
    }

    public static byte[] advanceBoundary(long boundaryMicros) {
        return ByteBuffer.allocate(1 + Long.BYTES).put(BOUNDARY).putLong(boundaryMicros).array();
    }

    /** An entry that changes nothing: no boundary goes back. */
    public static byte[] nothing() {
        return advanceBoundary(Long.MIN_VALUE);
    }

    /**
     * Refuses ids from the start on, until the attempt is settled.
     *
     * @param baseVersion of the map that the attempt is built on
     */
    public static byte[] prepare(long attempt, long baseVersion, long startMicros) {
        return ByteBuffer.allocate(1 + 3 * Long.BYTES)
                .put(PREPARE)
                .putLong(attempt)
                .putLong(baseVersion)
                .putLong(startMicros)
                .array();
    }

    /**
     * Gives up a prepare. Only for an attempt that the control group has aborted.
     *
     * @param lowestOpen attempts below are settled there
     */
    public static byte[] abort(long attempt, long lowestOpen) {
        return ByteBuffer.allocate(1 + 2 * Long.BYTES)
                .put(ABORT)
                .putLong(attempt)
                .putLong(lowestOpen)
                .array();
    }

    /**
     * Tells a new group which shard it is, which accepts nothing before; tells one that is live the
     * newer map, which settles what it was prepared for.
     *
     * @param lowestLive the fence table as of the decision on this map, or later
     */
    public static byte[] install(ShardMap map, Shard shard, Map<Integer, Integer> lowestLive) {
        check(map.contains(shard), "Expected a shard of the map, but got %s in %s", shard, map);
        byte[] mapBytes = map.toBytes();
        ByteBuffer out =
                ByteBuffer.allocate(
                        1 + 2 * Integer.BYTES + mapBytes.length + fenceBytes(lowestLive));
        out.put(INSTALL).putInt(shard.epoch()).putInt(shard.number()).put(mapBytes);
        putFences(out, lowestLive);
        return out.array();
    }

    /** Reads the count in front and checks that the rest holds so many ids and tokens. */
    static int packedCount(ByteBuffer in) {
        int count = in.remaining() < Integer.BYTES ? -1 : in.getInt();
        check(
                count > 0 && in.remaining() == (long) count * (EventId.BYTES + CommitToken.BYTES),
                "Expected whole ids and tokens, but got %s of them in %s bytes",
                count,
                in.remaining());
        return count;
    }

    /** The tokens, of which only ids are left in the entry then. */
    static ByteBuffer tokensBehind(ByteBuffer in, int count) {
        ByteBuffer tokens = in.duplicate();
        tokens.position(in.position() + count * EventId.BYTES);
        in.limit(tokens.position());
        return tokens;
    }
}
