package photon.idregistry.raft;

import static photon.core.error.Checks.check;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
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
import photon.idregistry.replicated.ReplicatedState;

/**
 * Carries entries between Ratis and a {@link ReplicatedState}. Decides nothing.
 *
 * <p>Ratis' one apply thread of the group applies, snapshots and reloads; others only read, under
 * the state's monitor. An exception in apply must never reach Ratis alone: it may log it and count
 * the entry as applied, and the replicas would differ from then on. So it ends at the {@link
 * BugHandler}, and if that returns, this replica stands still for good.
 */
final class StateCarrier extends BaseStateMachine {
    private final String name;
    private final ReplicatedState state;
    private final ClientId ownClient;
    private final BugHandler bugs;
    private final BooleanSupplier nodeEnds;
    private final Runnable leaderChanged;
    private final SnapshotFiles snapshots = new SnapshotFiles();
    private volatile boolean endExpected;
    private volatile boolean broken;
    private volatile long appliedBytes;
    private final AtomicLong snapshotFailures = new AtomicLong();

    StateCarrier(
            String name,
            ReplicatedState state,
            ClientId ownClient,
            BugHandler bugs,
            BooleanSupplier nodeEnds,
            Runnable leaderChanged) {
        this.name = name;
        this.state = state;
        this.ownClient = ownClient;
        this.bugs = bugs;
        this.nodeEnds = nodeEnds;
        this.leaderChanged = leaderChanged;
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
    @Nullable SnapshotInfo latestSnapshot() {
        return snapshots.storage().getLatestSnapshot();
    }

    void countSnapshotFailure() {
        snapshotFailures.incrementAndGet();
    }

    long snapshotFailures() {
        return snapshotFailures.get();
    }

    /** From now on the end of this replica is no surprise. */
    void expectEnd() {
        endExpected = true;
    }

    @Override
    public void initialize(RaftServer server, RaftGroupId group, RaftStorage storage)
            throws IOException {
        super.initialize(server, group, storage);
        getLifeCycle().transition(LifeCycle.State.STARTING);
        snapshots.open(storage);
        restore();
        TermIndex applied = getLastAppliedTermIndex();
        SnapshotFiles.checkLogGoesOn(storage, name, applied == null ? -1 : applied.getIndex());
        getLifeCycle().transition(LifeCycle.State.RUNNING);
    }

    /** A newer snapshot has come from the leader: the state is replaced between two applies. */
    @Override
    public void reinitialize() throws IOException {
        getLifeCycle().transition(LifeCycle.State.STARTING);
        restore();
        getLifeCycle().transition(LifeCycle.State.RUNNING);
    }

    private void restore() throws IOException {
        synchronized (state) {
            TermIndex at = snapshots.read(state);
            if (at != null) {
                check(
                        state.lastIndex() <= at.getIndex(),
                        "Expected a snapshot of at most index %s, but it holds %s",
                        at.getIndex(),
                        state.lastIndex());
                setLastAppliedTermIndex(at);
                appliedBytes = 0;
            }
        }
    }

    @Override
    public void pause() {
        if (getLifeCycleState() == LifeCycle.State.RUNNING) {
            getLifeCycle().transition(LifeCycle.State.PAUSING);
            getLifeCycle().transition(LifeCycle.State.PAUSED);
        }
    }

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
        try {
            check(!broken, "Expected no entry after one that could not be applied");
            LogEntryProto entry = transaction.getLogEntry();
            ByteString data = entry.getStateMachineLogEntry().getLogData();
            byte[] result;
            synchronized (state) {
                result = state.apply(entry.getIndex(), data.asReadOnlyByteBuffer());
                updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
                appliedBytes += data.size();
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

    /**
     * Ratis asks this once it is sure, by ReadIndex, that what is applied here is recent enough.
     */
    @Override
    public CompletableFuture<Message> query(Message request) {
        return CompletableFuture.completedFuture(Message.EMPTY);
    }

    /**
     * On Ratis' apply thread. If it fails, Ratis says so in its log and keeps what it would have
     * purged.
     */
    @Override
    public long takeSnapshot() throws IOException {
        TermIndex at = getLastAppliedTermIndex();
        if (broken || at == null || at.getIndex() < 0) {
            return RaftLog.INVALID_LOG_INDEX;
        }
        SnapshotInfo latest = snapshots.storage().getLatestSnapshot();
        if (latest == null || latest.getIndex() < at.getIndex()) {
            snapshots.write(state, at);
            appliedBytes = 0;
        }
        return at.getIndex();
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
        ended();
    }

    /**
     * Ratis closes a replica by itself after a long pause of the process or an error of its own.
     */
    void ended() {
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
