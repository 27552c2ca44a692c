package photon.idregistry.shard;

import static photon.core.error.Checks.check;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.idregistry.replicated.FeatureLevel;
import photon.idregistry.replicated.FrozenState;
import photon.idregistry.replicated.ReplicatedState;
import photon.idregistry.replicated.SnapshotReader;
import photon.idregistry.replicated.Stamps;
import photon.idregistry.table.IdPage;
import photon.idregistry.table.IdRow;
import photon.idregistry.table.IdTable;
import photon.idregistry.table.LookupBatch;
import photon.idregistry.table.TableHome;
import photon.proto.v1.AuditRecord;
import photon.proto.v1.LoadOutcome;
import photon.proto.v1.Outcome;
import photon.proto.v1.PrepareVerdict;
import photon.proto.v1.Stamp;
import photon.registry.api.ControlClient.ScanPage;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.ShardMap;

/**
 * What one shard knows, and the only rules by which it changes (docs/protocol.md sections 3 to 5).
 * The same entries in the same order give the same state and the same outcomes on every replica: no
 * clock, no randomness, no I/O but its table. Entries are made by {@link ShardEntries}, results are
 * read by {@link ShardResults}.
 *
 * <p>Not thread-safe: the thread that applies the log owns it, reads included.
 */
public final class ShardState implements ReplicatedState {
    /** So many ids a page of a scan looks at, at most, once it has any: apply waits meanwhile. */
    private static final long SCANNED_AT_ONCE = 1 << 18;

    /** Cells that an entry drops at most; {@link IdTable#dropBelow} says what one takes. */
    static final int DROPPED_AT_ONCE = 512;

    private final IdTable ids;
    private final FenceTable fences = new FenceTable();
    private final Ownership ownership = new Ownership();
    private final RemovalLog removals = new RemovalLog();
    private final RestoredShard restored = new RestoredShard();
    private final RemoveRule removes;
    private final Cancellations cancels;
    private final ShardSnapshot snapshot;
    private long boundaryMicros = Long.MIN_VALUE;
    private long maxAcceptedMicros = Long.MIN_VALUE;
    private long lastIndex;
    private long commitEntries;
    private long committedIds;

    /** What is spoken of now. */
    private final IdRow row = new IdRow();

    /** All ids stay in memory. */
    public ShardState() {
        this(TableHome.inMemory());
    }

    /**
     * @param home this shard's alone
     */
    public ShardState(TableHome home) {
        ids = new IdTable(home);
        removes = new RemoveRule(ids, fences, ownership, removals);
        cancels = new Cancellations(ids, fences, ownership);
        snapshot = new ShardSnapshot(ids, fences, ownership, removals, restored, cancels);
    }

    @Override
    public byte[] apply(long index, ByteBuffer entry) {
        check(index > lastIndex, "Expected an index after %s, but got %s", lastIndex, index);
        ByteBuffer in = entry.slice();
        check(in.hasRemaining(), "Expected an entry at index %s, but it is empty", index);
        byte kind = in.get();
        Stamp stamp = Stamp.getDefaultInstance();
        if (kind == Stamps.STAMPED) {
            stamp = Stamps.read(in);
            kind = in.get();
        }
        ids.begin(index);
        byte[] result =
                switch (kind) {
                    case ShardEntries.COMMIT -> commit(in);
                    case ShardEntries.REMOVE ->
                            removes.apply(index, stamp, in, row, boundaryMicros);
                    case ShardEntries.CANCEL -> cancels.apply(in, row, boundaryMicros);
                    case ShardEntries.FENCE -> fence(index, in);
                    case ShardEntries.BOUNDARY -> advanceBoundary(in);
                    case ShardEntries.INSTALL -> install(in);
                    case ShardEntries.PREPARE -> prepare(in);
                    case ShardEntries.ABORT -> abort(in);
                    case ShardEntries.RESTORE_HEAD -> restoreHead(in);
                    case ShardEntries.RESTORE_BACKUP -> restoreRows(in, false);
                    case ShardEntries.RESTORE_PUBLISHED -> restoreRows(in, true);
                    default -> throw FeatureLevel.unknown("Shard entry " + kind);
                };
        check(
                !in.hasRemaining(),
                "Expected an entry of kind %s to end at index %s, but %s bytes are left",
                kind,
                index,
                in.remaining());
        lastIndex = index;
        return result;
    }

    private byte[] commit(ByteBuffer in) {
        int count = ShardEntries.packedCount(in);
        ByteBuffer tokens = ShardEntries.tokensBehind(in, count);
        byte[] outcomes = new byte[count];
        ByteBuffer holders = null;
        boolean wrongShard = false;
        for (int i = 0; i < count; i++) {
            if (i % IdTable.EXPECTED_AT_ONCE == 0) {
                ids.expect(in, in.position(), Math.min(IdTable.EXPECTED_AT_ONCE, count - i));
            }
            row.readId(in);
            row.readToken(tokens);
            int outcome = judge();
            if (outcome == Outcome.ACCEPTED_VALUE) {
                if (ids.putIfAbsent(row)) {
                    maxAcceptedMicros = Math.max(maxAcceptedMicros, row.micros());
                } else if (!row.isHolder()) {
                    outcome = OnceUnmatched.judge(ids, row);
                }
                if (outcome == Outcome.TAKEN_VALUE) {
                    if (holders == null) {
                        holders = ByteBuffer.allocate((count - i) * CommitToken.BYTES);
                    }
                    row.writeHolder(holders);
                }
            }
            wrongShard |= outcome == Outcome.WRONG_SHARD_VALUE;
            outcomes[i] = (byte) outcome;
        }
        commitEntries++;
        committedIds += count;
        ShardMap told = wrongShard ? Objects.requireNonNull(map()) : null;
        return ShardResults.committed(boundaryMicros, outcomes, holders, told);
    }

    /**
     * Only reads, all but the holder, who speaks last. The first rule that speaks wins; {@link
     * Outcome} lists them in this order.
     */
    private int judge() {
        int owned = ownership.judge(row.micros(), row.hash());
        if (owned != Outcome.ACCEPTED_VALUE) {
            return owned;
        }
        if (fences.forbids(row.slot(), row.generation())) {
            return Outcome.FENCED_VALUE;
        }
        if (cancels.forbid(row)) {
            return Outcome.CANCELLED_VALUE;
        }
        if (row.micros() < boundaryMicros) {
            return Outcome.ID_TOO_OLD_VALUE;
        }
        return Outcome.ACCEPTED_VALUE;
    }

    private byte[] fence(long index, ByteBuffer in) {
        cancels.raiseFences(in);
        return ByteBuffer.allocate(Long.BYTES).putLong(index).array();
    }

    private byte[] advanceBoundary(ByteBuffer in) {
        check(in.remaining() == Long.BYTES, "Expected a boundary, but got %s bytes", in.limit());
        long proposed = in.getLong();
        if (proposed > boundaryMicros) {
            boundaryMicros = proposed;
            ids.dropBelow(proposed);
        }
        return ByteBuffer.allocate(Long.BYTES).putLong(boundaryMicros).array();
    }

    private byte[] install(ByteBuffer in) {
        check(in.remaining() > 2 * Integer.BYTES, "Expected a shard, but got %s bytes", in.limit());
        Shard shard = new Shard(in.getInt(), in.getInt());
        ShardMap installed = ShardMap.read(in);
        cancels.raiseFences(in);
        boolean first = map() == null;
        boolean stands = ownership.install(shard, installed, maxAcceptedMicros, boundaryMicros);
        if (first) {
            restored.begins(boundaryMicros);
        }
        return new byte[] {(byte) (stands ? 1 : 2)};
    }

    private byte[] prepare(ByteBuffer in) {
        check(in.remaining() == 3 * Long.BYTES, "Expected a prepare in %s bytes", in.limit());
        PrepareVerdict verdict =
                ownership.prepare(in.getLong(), in.getLong(), in.getLong(), maxAcceptedMicros);
        return ShardResults.prepared(verdict, maxAcceptedMicros);
    }

    private byte[] abort(ByteBuffer in) {
        check(in.remaining() == 2 * Long.BYTES, "Expected an abort in %s bytes", in.limit());
        ownership.abort(in.getLong(), in.getLong());
        return new byte[] {1};
    }

    private byte[] restoreHead(ByteBuffer in) {
        RestoredShard.Head head = restored.head(in, map() != null);
        if (head == null) {
            return new byte[] {RestoredShard.LIVE};
        }
        fences.lose(head.lostSlots());
        maxAcceptedMicros = Math.max(maxAcceptedMicros, head.maxAcceptedMicros());
        if (head.boundaryMicros() > boundaryMicros) {
            boundaryMicros = head.boundaryMicros();
            ids.dropBelow(boundaryMicros);
        }
        return new byte[] {RestoredShard.DONE};
    }

    private byte[] restoreRows(ByteBuffer in, boolean published) {
        int count = ShardEntries.packedCount(in);
        ByteBuffer tokens = ShardEntries.tokensBehind(in, count);
        boolean live = map() != null;
        if ((live && !published) || (!live && !restored.hasHead())) {
            in.position(in.limit());
            return new byte[] {live ? RestoredShard.LIVE : RestoredShard.HEADLESS};
        }
        byte[] outcomes = new byte[1 + count];
        outcomes[0] = live ? RestoredShard.LIVE : RestoredShard.DONE;
        for (int i = 0; i < count; i++) {
            row.readId(in);
            row.readToken(tokens);
            LoadOutcome outcome = restored.judge(row, boundaryMicros, map(), self());
            if (outcome == LoadOutcome.LOAD_PUT) {
                outcome = RestoredShard.put(ids, row, published, live);
                maxAcceptedMicros = Math.max(maxAcceptedMicros, row.micros());
            }
            outcomes[1 + i] = (byte) outcome.getNumber();
        }
        return outcomes;
    }

    /**
     * What would become of published ids, of which nothing is changed: a {@link LoadOutcome} each,
     * a byte each.
     *
     * @param packedIds well-formed, as {@link ShardEntries#wellFormed} says
     * @return null while the shard has no map
     */
    public byte @Nullable [] lookPublished(ByteBuffer packedIds, ByteBuffer packedTokens) {
        if (map() == null) {
            return null;
        }
        return restored.look(ids, row, packedIds, packedTokens, boundaryMicros, map(), self());
    }

    @Override
    public long lastIndex() {
        return lastIndex;
    }

    /** Who holds the id; null if nobody does, or if it is below the boundary. */
    public @Nullable CommitToken lookup(EventId id) {
        if (id.micros() < boundaryMicros) {
            return null;
        }
        row.set(id);
        return ids.find(row) ? row.holderToken() : null;
    }

    /**
     * Answers the batch's next ids, as far as memory knows.
     *
     * @param most of them; 1 or more
     */
    public void ask(LookupBatch batch, int most) {
        int count = Math.min(most, batch.left());
        for (int i = 0; i < count; i++) {
            if (i % IdTable.EXPECTED_AT_ONCE == 0) {
                ids.expect(
                        batch.ids(), batch.nextAt(), Math.min(IdTable.EXPECTED_AT_ONCE, count - i));
            }
            batch.next(row);
            if (!ownsRow()) {
                batch.answer(LookupBatch.WRONG_SHARD);
            } else if (row.micros() < boundaryMicros) {
                batch.answer(LookupBatch.TOO_OLD);
            } else {
                ids.ask(row, batch);
            }
        }
    }

    private boolean ownsRow() {
        return ownership.judge(row.micros(), row.hash()) == Outcome.ACCEPTED_VALUE;
    }

    /**
     * True if the map is installed and gives the id to this shard, and no other group can have
     * become its owner meanwhile.
     */
    public boolean owns(EventId id) {
        return ownership.judge(id) == Outcome.ACCEPTED_VALUE;
    }

    /** The reshard attempts that it is prepared for, in order. */
    public List<Long> preparedAttempts() {
        return ownership.preparedAttempts();
    }

    /** Ids below are too old; {@link Long#MIN_VALUE} while there is none. */
    public long boundaryMicros() {
        return boundaryMicros;
    }

    /**
     * The boundary that an entry may bring next on the way to the target: no further than so many
     * cells of ids are dropped at once, since commits wait meanwhile.
     *
     * @return what stands, if that is no lower than the target
     */
    public long boundaryTowards(long targetMicros) {
        return targetMicros <= boundaryMicros
                ? boundaryMicros
                : ids.dropStep(targetMicros, DROPPED_AT_ONCE);
    }

    /** The highest timestamp ever accepted; {@link Long#MIN_VALUE} before the first. */
    public long maxAcceptedMicros() {
        return maxAcceptedMicros;
    }

    /** One page of what the incarnation's tokens hold, in id order. */
    public ScanPage scan(Incarnation incarnation, @Nullable EventId after, int limit) {
        return ShardResults.page(
                scan(incarnation, Long.MIN_VALUE, Long.MAX_VALUE, after, limit), boundaryMicros);
    }

    /**
     * One page of what is held, in id order. It may have fewer ids than the limit, but has one at
     * least if there is any.
     *
     * @param incarnation only what its tokens hold; null: what anybody's hold
     * @param fromMicros ids of this timestamp and later
     * @param toMicros and before this one
     * @param after ids behind this one; null: from the start
     * @param limit above 0
     */
    public IdPage scan(
            @Nullable Incarnation incarnation,
            long fromMicros,
            long toMicros,
            @Nullable EventId after,
            int limit) {
        IdPage page = scan(incarnation, fromMicros, toMicros, after, limit, SCANNED_AT_ONCE);
        while (page.size() == 0 && page.more()) {
            EventId on = page.resumeAfter();
            page = scan(incarnation, fromMicros, toMicros, on, limit, SCANNED_AT_ONCE);
        }
        return page;
    }

    /**
     * As {@link #scan(Incarnation, long, long, EventId, int)}, but a page may be empty although
     * there are more.
     *
     * @param rowsMax roughly how many ids it looks at, those of other incarnations included
     */
    public IdPage scan(
            @Nullable Incarnation incarnation,
            long fromMicros,
            long toMicros,
            @Nullable EventId after,
            int limit,
            long rowsMax) {
        check(limit > 0, "Expected a limit above 0, but got %s", limit);
        return ids.scan(incarnation, after, fromMicros, toMicros, limit, rowsMax);
    }

    /** A view: slot to lowest live generation. */
    public SortedMap<Integer, Integer> fenceTable() {
        return fences.asMap();
    }

    /** Slots up to this number are fenced unless the table says otherwise; 0: none. */
    public int lostSlots() {
        return fences.lostSlots();
    }

    /** Null until it is installed. */
    public @Nullable ShardMap map() {
        return ownership.map();
    }

    /** Which shard this is; null until the map is installed. */
    public @Nullable Shard self() {
        return ownership.self();
    }

    /** The ids, and where they lie, which is this replica's own affair. */
    public IdTable ids() {
        return ids;
    }

    /** Forgets all ids, for good: of a group that is no more. */
    public void discardIds() {
        ids.discard(lastIndex);
    }

    /** Tokens that are remembered as cancelled. */
    public int cancelledTokens() {
        return cancels.size();
    }

    /** What was removed lately, at whose wish: for people. Without the shard, which is known. */
    public List<AuditRecord> removals() {
        return removals.records();
    }

    /** So many records were there before {@link #removals}'. */
    public long removalsForgotten() {
        return removals.forgotten();
    }

    /** Commit entries applied ever. */
    public long commitEntries() {
        return commitEntries;
    }

    /** Ids that these entries carried, whatever became of them. */
    public long committedIds() {
        return committedIds;
    }

    /** The same on all replicas that have applied the same entries. */
    public long stateHash() {
        return ids.contentHash()
                + 31L
                        * Objects.hash(
                                fences.asMap(),
                                boundaryMicros,
                                maxAcceptedMicros,
                                lastIndex,
                                commitEntries,
                                committedIds,
                                ownership.contentHash(),
                                removals.contentHash(),
                                restored.contentHash(),
                                cancels.contentHash(),
                                fences.lostSlots(),
                                ids.count());
    }

    @Override
    public FrozenState freeze() {
        return snapshot.freeze(
                new ShardSnapshot.Head(
                        lastIndex, boundaryMicros, maxAcceptedMicros, commitEntries, committedIds));
    }

    @Override
    public void restore(SnapshotReader from) throws IOException {
        ShardSnapshot.Head head = snapshot.restore(from);
        lastIndex = head.lastIndex();
        boundaryMicros = head.boundaryMicros();
        maxAcceptedMicros = head.maxAcceptedMicros();
        commitEntries = head.commitEntries();
        committedIds = head.committedIds();
    }
}
