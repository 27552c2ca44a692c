package photon.idregistry.raft;

import static photon.core.error.Checks.check;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.apache.ratis.util.LifeCycle;
import org.jspecify.annotations.Nullable;
import photon.core.error.BugHandler;
import photon.idregistry.raft.snapshot.Pace;
import photon.idregistry.raft.snapshot.SnapshotDisk;
import photon.idregistry.raft.snapshot.SnapshotStorage;
import photon.idregistry.raft.snapshot.StateSnapshots;
import photon.idregistry.raft.snapshot.StoredSnapshot;
import photon.idregistry.raft.workaround.LogCuts;
import photon.idregistry.raft.workaround.MembersFile;
import photon.idregistry.replicated.ReplicatedState;

/**
 * Carries entries between Ratis and a {@link ReplicatedState}. Decides nothing.
 *
 * <p>Ratis' one apply thread of the group applies and reloads; others read and freeze, under the
 * state's monitor. An exception in apply must never reach Ratis alone: it may log it and count the
 * entry as applied, and the replicas would differ from then on. So it ends at the {@link
 * BugHandler}, and if that returns, this replica stands still for good.
 */
final class StateCarrier extends BaseStateMachine {
    private static final byte[] NOTHING = {};

    /** About what an entry takes in the log beside its data. */
    private static final int ENTRY_BYTES_MIN = 64;

    private final String name;
    private final ReplicatedState state;
    private final ClientId ownClient;
    private final BugHandler bugs;
    private final BooleanSupplier nodeEnds;
    private final Runnable leaderChanged;
    private final StateSnapshots snapshots;
    private final LogCuts cuts = new LogCuts();
    private final SnapshotDisk disk;
    private volatile boolean endExpected;
    private volatile boolean closed;
    private volatile boolean broken;

    /** Written under the state's monitor. */
    private volatile long appliedBytes;

    private volatile @Nullable RaftStorage raft;

    StateCarrier(
            String name,
            ReplicatedState state,
            ClientId ownClient,
            BugHandler bugs,
            BooleanSupplier nodeEnds,
            Runnable leaderChanged,
            SnapshotDisk disk) {
        this.name = name;
        this.state = state;
        this.ownClient = ownClient;
        this.bugs = bugs;
        this.nodeEnds = nodeEnds;
        this.leaderChanged = leaderChanged;
        this.disk = disk;
        this.snapshots = new StateSnapshots(name, state, bugs, new SnapshotStorage(disk));
    }

    /** Reads the state; nothing is applied meanwhile, so be quick. */
    <T extends @Nullable Object> T read(Function<ReplicatedState, T> reader) {
        synchronized (state) {
            return reader.apply(state);
        }
    }

    /** Bytes of entries applied since the last snapshot. */
    long appliedBytes() {
        return appliedBytes;
    }

    /** The newest durable snapshot; null before the first. */
    @Nullable StoredSnapshot latestSnapshot() {
        return snapshots.storage().getLatestSnapshot();
    }

    /** Since the start; each left the log and the last snapshot as they were. */
    long snapshotFailures() {
        return snapshots.failures();
    }

    /**
     * Takes a snapshot of what is applied now, while more is applied. In any thread but Ratis'.
     *
     * @param nanoTime monotonic
     * @return the index that is safe on disk now; -1 for none
     * @throws IOException if there is no snapshot now
     */
    long takeSnapshot(Pace pace, long nanoTime) throws IOException {
        return snapshots.take(
                () -> broken ? null : getLastAppliedTermIndex(),
                () -> appliedBytes = 0,
                pace,
                nanoTime);
    }

    /** {@link StateSnapshots#lowestSent}. */
    long lowestSent(long nanoTime) {
        return snapshots.lowestSent(nanoTime);
    }

    /** Ends a snapshot that is being taken, for good. */
    void abandonSnapshots() {
        snapshots.abandon();
    }

    /** From now on the end of this replica is no surprise. */
    void expectEnd() {
        endExpected = true;
    }

    @Override
    public void initialize(RaftServer server, RaftGroupId group, RaftStorage storage)
            throws IOException {
        super.initialize(server, group, storage);
        raft = storage;
        getLifeCycle().transition(LifeCycle.State.STARTING);
        restored(snapshots.open(storage));
        TermIndex applied = getLastAppliedTermIndex();
        long held = applied == null ? -1 : applied.getIndex();
        LogFiles.checkGoesOn(storage, name, held);
        LogEnd.check(storage, name, held);
        getLifeCycle().transition(LifeCycle.State.RUNNING);
    }

    private void restored(@Nullable TermIndex at) {
        if (at != null) {
            setLastAppliedTermIndex(at);
            appliedBytes = 0;
        }
    }

    /**
     * A snapshot has come from the leader and is about to be put in place: Ratis deletes the log
     * behind it, so it must be on disk. Entries may yet be applied until {@link #reinitialize}.
     */
    @Override
    public void pause() {
        snapshots.abandon();
        try {
            snapshots.syncReceived();
        } catch (IOException e) {
            bugs.onBug("Receiving a snapshot of " + name, e);
            throw new UncheckedIOException(e);
        }
        if (getLifeCycleState() == LifeCycle.State.RUNNING) {
            getLifeCycle().transition(LifeCycle.State.PAUSING);
            getLifeCycle().transition(LifeCycle.State.PAUSED);
        }
        cuts.snapshotComes();
    }

    /** The snapshot is in place: the state is replaced between two applies. */
    @Override
    public void reinitialize() throws IOException {
        getLifeCycle().transition(LifeCycle.State.STARTING);
        try {
            restored(snapshots.restore());
            cuts.snapshotIsThere();
        } catch (IOException | RuntimeException e) {
            broken = true;
            bugs.onBug("Restoring " + name, e);
            throw e;
        }
        getLifeCycle().transition(LifeCycle.State.RUNNING);
    }

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
        try {
            check(!broken, "Expected no entry after one that could not be applied");
            LogEntryProto entry = transaction.getLogEntry();
            ByteString data = entry.getStateMachineLogEntry().getLogData();
            byte[] result;
            synchronized (state) {
                // Without data it is a reader's, who waits for it alone.
                result =
                        data.isEmpty()
                                ? NOTHING
                                : state.apply(entry.getIndex(), data.asReadOnlyByteBuffer());
                updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
                appliedBytes += ENTRY_BYTES_MIN + data.size();
            }
            // Ratis keeps replies for a while on every replica, but only we read ours.
            return CompletableFuture.completedFuture(
                    isOwn(transaction.getClientRequest())
                            ? Message.valueOf(UnsafeByteOperations.unsafeWrap(result))
                            : Message.EMPTY);
        } catch (Throwable bug) {
            broken = true;
            bugs.onBug("Applying an entry of " + name, bug);
            throw bug;
        }
    }

    private boolean isOwn(@Nullable RaftClientRequest request) {
        return request != null && request.getClientId().equals(ownClient);
    }

    /** Ratis asks this once it has applied here what the leader has named ({@code ReadIndexes}). */
    @Override
    public CompletableFuture<Message> query(Message request) {
        return CompletableFuture.completedFuture(Message.EMPTY);
    }

    /**
     * Ratis purges its log up to what this returns, so it is what is on disk and no more. Snapshots
     * are taken by {@link #takeSnapshot(Pace, long)}.
     */
    @Override
    public long takeSnapshot() {
        StoredSnapshot latest = latestSnapshot();
        return latest == null ? RaftLog.INVALID_LOG_INDEX : latest.getIndex();
    }

    @Override
    public StateMachineStorage getStateMachineStorage() {
        return snapshots.storage();
    }

    @Override
    public @Nullable SnapshotInfo getLatestSnapshot() {
        return snapshots.storage().getLatestSnapshot();
    }

    @Override
    public void notifyLeaderChanged(RaftGroupMemberId member, RaftPeerId newLeader) {
        leaderChanged.run();
    }

    @Override
    public void notifyLeaderReady() {
        leaderChanged.run();
    }

    /** Told where a cut is queued; the answer is asked for where it was done. */
    @Override
    public CompletableFuture<Void> truncate(long index) {
        return cuts.queued();
    }

    /** Told by the log's writer before each flush. */
    @Override
    public CompletableFuture<Void> flush(long index) {
        cuts.flushing();
        disk.beforeLogIsForced();
        return CompletableFuture.completedFuture(null);
    }

    /** What has been cut off the log, and whether that is done. */
    LogCuts cuts() {
        return cuts;
    }

    /**
     * True if a commit index that was read before, and a flush index that is read after, speak of
     * the same entries, and a snapshot that was received is safely in place.
     */
    boolean logIsSettled() {
        return cuts.none() && getLifeCycleState() == LifeCycle.State.RUNNING;
    }

    /** Members that are only in the log would be forgotten when it is purged. */
    @Override
    public void notifyConfigurationChanged(long term, long index, RaftConfigurationProto members) {
        try {
            MembersFile.check(Objects.requireNonNull(raft, "initialized"), index, members);
        } catch (IOException e) {
            broken = true;
            // Its files go when it is removed.
            if (!endExpected) {
                bugs.onBug("Writing the members of " + name, e);
            }
        }
    }

    /** A write or sync of the log failed: what is on disk cannot be known any more. */
    @Override
    public void notifyLogFailed(Throwable cause, LogEntryProto failed) {
        bugs.onBug("Writing the log of " + name, cause);
    }

    @Override
    public void notifyServerShutdown(RoleInfoProto role, boolean allServer) {
        ended();
    }

    @Override
    public void close() throws IOException {
        super.close();
        snapshots.close();
        ended();
    }

    private void ended() {
        closed = true;
    }

    /** True once Ratis has closed it, whoever wanted that. */
    boolean isClosed() {
        return closed;
    }

    /**
     * Ratis closes a replica by itself after a long pause of the process or an error of its own.
     */
    void reportEnd() {
        if (!endExpected && !broken && !nodeEnds.getAsBoolean()) {
            endExpected = true;
            bugs.onBug(
                    "The replica " + name,
                    new IllegalStateException("Ratis has closed it by itself"));
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
