package photon.idregistry.raft;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.raftlog.RaftLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.idregistry.raft.snapshot.Pace;
import photon.idregistry.raft.snapshot.StoredSnapshot;
import photon.idregistry.raft.workaround.MembersFile;
import photon.idregistry.replicated.ReplicatedLog;
import photon.idregistry.replicated.ReplicatedState;

/** This server's copy of one group. Thread-safe. */
public final class Replica {
    private static final Logger LOG = LoggerFactory.getLogger(Replica.class);

    /** A log that is smaller is kept for a follower, however small the snapshot is. */
    private static final long LOG_FOR_FOLLOWERS_BYTES_MIN = 1L << 30;

    private final UUID group;
    private final RaftServer.Division division;
    private final StateCarrier carrier;
    private final RatisLog log;
    private final LogMark mark;
    private final LeaderTransfer transfer;
    private final AtomicBoolean asked = new AtomicBoolean();
    private volatile boolean caughtUp;
    private volatile boolean retired;
    private boolean seenClosed;
    private long closedNanos;

    private final boolean made;

    /**
     * @param readers where Ratis is called that may block: what readers wait for is appended there,
     *     and leadership given away
     * @param made it was not there before
     */
    Replica(
            UUID group,
            RaftServer.Division division,
            RatisCalls calls,
            Executor readers,
            boolean made)
            throws IOException {
        this.group = group;
        this.made = made;
        this.division = division;
        this.carrier = (StateCarrier) division.getStateMachine();
        this.log = new RatisLog(division, calls, readers);
        this.mark = new LogMark(directory());
        this.transfer = new LeaderTransfer(division, calls, log, readers);
    }

    /** See {@link GroupIds}. */
    public UUID group() {
        return group;
    }

    public ReplicatedLog log() {
        return log;
    }

    /**
     * The leader's name as it is known here, or who is about to be; null while none is known. Who
     * asks there is told the latest.
     */
    public @Nullable String leader() {
        String heir = log.heir();
        if (heir != null) {
            return heir;
        }
        RaftPeerId leader = division.getInfo().getLeaderId();
        return leader == null ? null : leader.toString();
    }

    /**
     * Reads this replica's own state, stale perhaps. Nothing is applied meanwhile, so be quick and
     * keep nothing of the state.
     */
    public <T extends @Nullable Object> T read(Function<ReplicatedState, T> reader) {
        return carrier.read(reader);
    }

    /**
     * Completes once this replica has applied all that was committed before the call: a {@link
     * #read} behind it is linearizable. Costs the leader an entry, shared by all who ask at a time.
     * Fails if it cannot be known. May complete in any thread.
     */
    public CompletableFuture<Void> readBarrier() {
        return log.readBarrier();
    }

    /** Of the leader: where others must have come to before they read. */
    CompletableFuture<Long> readIndex() {
        return log.readIndex();
    }

    /**
     * True if this replica's state may be answered from, stale as it perhaps is: it has applied
     * what was committed when it started, and it is a member still (docs/protocol.md section 3).
     */
    public boolean caughtUp() {
        return caughtUp
                && !retired
                && alive()
                && division.getRaftConf().getPeer(division.getId()) != null;
    }

    /** The first half of {@link #caughtUp}: also of one that is no member any more. */
    public boolean replayed() {
        return caughtUp && alive();
    }

    /** Asks for what {@link #caughtUp} needs, unless it is known or under way. */
    void catchUp() {
        if (!caughtUp && asked.compareAndSet(false, true)) {
            readBarrier()
                    .whenComplete(
                            (there, failure) -> {
                                caughtUp |= failure == null;
                                asked.set(false);
                            });
        }
    }

    /** True if this replica was made since the server's start. */
    public boolean wasMade() {
        return made;
    }

    /** As Raft counts; every leader has another one. */
    public long term() {
        return division.getInfo().getCurrentTerm();
    }

    /**
     * Gives leadership to a follower that is known to follow closely. Meanwhile nothing is taken,
     * as where another leads; what was taken before is answered first.
     *
     * @param member what Raft calls it
     * @param millisMax how long commits may wait for it
     * @return completed, in any thread, when it leads; failed with {@link LeaderTransferException}
     *     if it does not, in which case this one may go on
     */
    public CompletableFuture<Void> transferTo(String member, long millisMax) {
        return transfer.to(member, millisMax);
    }

    /**
     * Ends a leadership in which Ratis takes nothing any more. To be called now and then, in one
     * thread.
     *
     * @param nanoTime monotonic
     */
    void endStuckLeadership(long nanoTime, long nanosMax) {
        transfer.endStuckLeadership(nanoTime, nanosMax);
    }

    /**
     * True if Ratis has closed it, and had at that time; called by one thread.
     *
     * @param thenNanos monotonic
     * @param nanoTime monotonic
     */
    boolean isClosedSince(long thenNanos, long nanoTime) {
        if (!isClosed()) {
            return false;
        }
        if (!seenClosed) {
            seenClosed = true;
            closedNanos = nanoTime;
        }
        return closedNanos - thenNanos <= 0;
    }

    /** True if Ratis has closed it. */
    boolean isClosed() {
        return carrier.isClosed() || !alive();
    }

    /** Its server was replaced: it answers no local read any more. */
    void retire() {
        retired = true;
    }

    /** The group's members as known here; none of a closed one. */
    public GroupMembers members() {
        try {
            return new GroupMembers(
                    StatsOf.members(division), division.getRaftConf().getPreviousPeers().isEmpty());
        } catch (IllegalStateException e) {
            // The group is being removed: its log is closed, and it may still be said to lead.
            return new GroupMembers(List.of(), false);
        }
    }

    /** Looks at files: not for hot paths. */
    public ReplicaStats stats() {
        return new StatsOf(division, carrier).stats(caughtUp());
    }

    /** This member's. */
    public String name() {
        return division.getId().toString();
    }

    /** What Ratis tells of it now. */
    public RaftFigures raft() {
        return RaftFigures.of(division);
    }

    /**
     * Takes a snapshot and deletes the log below it, but for what a follower needs that is being
     * sent one of before: it would be sent the next one, and never come to an end where one takes
     * longer to be sent than to be due.
     *
     * @param nanoTime monotonic
     * @return the index that is safe on disk now; -1 for none
     * @throws IOException if there is no snapshot now
     */
    long takeSnapshot(Pace pace, long nanoTime) throws IOException {
        long index = carrier.takeSnapshot(pace, nanoTime);
        if (index >= 0 && alive()) {
            division.getRaftLog().purge(purgeable(index, nanoTime));
        }
        return index;
    }

    private long purgeable(long index, long nanoTime) throws IOException {
        long sent = carrier.lowestSent(nanoTime);
        StoredSnapshot latest = carrier.latestSnapshot();
        long needed =
                sent < index ? FollowerNeeds.purgeable(index, sent, division.getInfo()) : index;
        if (needed >= index || latest == null) {
            return index;
        }
        long log = LogFiles.bytes(division.getRaftStorage());
        if (log > Math.max(LOG_FOR_FOLLOWERS_BYTES_MIN, latest.bytes())) {
            LOG.warn(
                    "The log of {} has become larger, with {} bytes, than the snapshot that a follower is being sent: it is deleted, and the follower will be sent a newer one",
                    name(),
                    log);
            return index;
        }
        return needed;
    }

    /** Gives the state up, once Ratis has ended this replica for good. */
    void discard(Consumer<ReplicatedState> how) {
        carrier.read(
                state -> {
                    how.accept(state);
                    return true;
                });
    }

    StateCarrier carrier() {
        return carrier;
    }

    /** Ratis' own. */
    RaftServer.Division division() {
        return division;
    }

    /** What Ratis does to a replica after a long pause of the process; for tests. */
    void closeBehindOurBack() {
        division.close();
    }

    /**
     * True while no member is known here, as after a crash before the first entry. What Ratis has
     * in memory is not enough: while a snapshot is installed it has none for a moment, and a
     * replica that lives must not be taken away then.
     */
    boolean memberless() {
        return division.getRaftConf().getCurrentPeers().isEmpty()
                && !MembersFile.exists(directory());
    }

    private Path directory() {
        return division.getRaftStorage().getStorageDir().getRoot().toPath();
    }

    /** Writes down what of the log is committed and on disk here. In one thread. */
    void raiseMark() throws IOException {
        RaftLog raftLog = division.getRaftLog();
        long committed = raftLog.getLastCommittedIndex();
        if (alive() && carrier.logIsSettled()) {
            mark.raise(Math.min(committed, raftLog.getFlushIndex()));
        }
    }

    /** False once Ratis has closed it, or an entry could not be applied. */
    boolean alive() {
        return division.getInfo().isAlive();
    }
}
