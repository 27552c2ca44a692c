package photon.idregistry.raft;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.proto.RaftProtos.ServerRpcProto;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.raftlog.RaftLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.idregistry.raft.workaround.StuckLeadership;

/**
 * Gives the leadership of one group away. While Ratis does, it refuses entries, and in one case
 * never takes any again: a request to the follower that fails at once leaves the mark of a transfer
 * in place (Ratis 3.3.0, TransferLeadership.start). Only another election clears it, so one is
 * brought about then. Thread-safe but for {@link #endStuckLeadership}.
 */
public final class LeaderTransfer {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderTransfer.class);

    /** Ratis answers within the time that it is given; this is for when it does not. */
    private static final long LATE_MILLIS = 1_000;

    /** Above what Ratis waits for an answer before it asks anew, 3 s. */
    private static final long UNANSWERED_NANOS_MAX = TimeUnit.SECONDS.toNanos(5);

    private static final long STEP_DOWN_MILLIS = 5_000;

    private final RaftServer.Division division;
    private final RatisCalls calls;
    private final RatisLog log;
    private final Executor callers;
    private final StuckLeadership refusing = new StuckLeadership();
    private final StuckLeadership unready = new StuckLeadership();
    private long looks;

    /**
     * @param callers where Ratis is asked to transfer. It blocks there until a thread of its own
     *     has the server's lock, which the thread that ends an entry may hold: a leader that steps
     *     down answers its open entries under that lock
     */
    LeaderTransfer(RaftServer.Division division, RatisCalls calls, RatisLog log, Executor callers) {
        this.division = division;
        this.calls = calls;
        this.log = log;
        this.callers = callers;
    }

    /** See {@link Replica#transferTo}. */
    CompletableFuture<Void> to(String member, long millisMax) {
        if (!log.leads()) {
            return CompletableFuture.failedFuture(
                    new LeaderTransferException(division.getMemberId() + " does not lead"));
        }
        if (!log.yieldTo(member)) {
            return CompletableFuture.failedFuture(
                    new LeaderTransferException(
                            division.getMemberId() + " is giving leadership away already"));
        }
        return log.drained(millisMax / 2)
                .thenComposeAsync(done -> ask(RaftPeerId.valueOf(member), millisMax), callers)
                .orTimeout(2 * millisMax + LATE_MILLIS, TimeUnit.MILLISECONDS)
                .handle((reply, failure) -> outcome(reply, failure))
                .thenAccept(
                        failed -> {
                            log.yieldNoMore();
                            if (failed.isPresent()) {
                                throw new CompletionException(failed.get());
                            }
                        });
    }

    private static Optional<LeaderTransferException> outcome(
            @Nullable RaftClientReply reply, @Nullable Throwable failure) {
        if (failure != null) {
            return Optional.of(new LeaderTransferException("No answer from Ratis", failure));
        }
        if (reply != null && !reply.isSuccess()) {
            Throwable why = reply.getException();
            return Optional.of(
                    new LeaderTransferException(
                            why == null ? "Ratis refused" : String.valueOf(why.getMessage()), why));
        }
        return Optional.empty();
    }

    /**
     * @param member null: to nobody
     */
    private CompletableFuture<RaftClientReply> ask(@Nullable RaftPeerId member, long millisMax) {
        try {
            return division.getRaftServer()
                    .transferLeadershipAsync(
                            new TransferLeadershipRequest(
                                    calls.client(),
                                    calls.server(),
                                    division.getGroup().getGroupId(),
                                    calls.nextCall(),
                                    member,
                                    millisMax));
        } catch (IOException | RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** See {@link Replica#endStuckLeadership}. */
    void endStuckLeadership(long nanoTime, long nanosMax) {
        boolean leads = division.getInfo().isLeader();
        looks++;
        if (refusing.look(nanoTime, nanosMax, leads && log.heir() == null, log.refusals())) {
            stepDown("takes no entries, since a transfer of leadership has not ended");
        }
        if (unready.look(
                nanoTime,
                Math.max(nanosMax, UNANSWERED_NANOS_MAX),
                leads && waitsForLostAnswer(nanosMax),
                looks)) {
            stepDown("is not ready, since the answer to its first entry was lost");
        }
    }

    /**
     * A leader is ready when its first entry is committed, and takes no other before. An answer to
     * it that is lost with its connection is never asked for again, while heartbeats go on (Ratis
     * 3.3.0, GrpcLogAppender). A leader that still applies, or sends, only takes its time.
     */
    private boolean waitsForLostAnswer(long silentNanosMax) {
        try {
            return sentAndNotAnswered(silentNanosMax);
        } catch (IllegalStateException e) {
            // The group is being removed: its log is closed, and it may still be said to lead.
            return false;
        }
    }

    private boolean sentAndNotAnswered(long silentNanosMax) {
        DivisionInfo info = division.getInfo();
        RaftLog raftLog = division.getRaftLog();
        if (info.isLeaderReady() || info.getLastAppliedIndex() < raftLog.getLastCommittedIndex()) {
            return false;
        }
        return anyHasAnswered(
                raftLog.getNextIndex() - 1,
                info.getFollowerNextIndices(),
                info.getFollowerMatchIndices(),
                info.getRoleInfoProto().getLeaderInfo().getFollowerInfoList().stream()
                        .mapToLong(ServerRpcProto::getLastRpcElapsedTimeMs)
                        .toArray(),
                TimeUnit.NANOSECONDS.toMillis(silentNanosMax));
    }

    /**
     * A follower that answers, was sent all there is, and is not known to have it. One that is gone
     * looks the same but for its silence: the leader counts what it sends before it sends it. The
     * three lists have one order, and differ in length only while the members change.
     */
    public static boolean anyHasAnswered(
            long last,
            long @Nullable [] next,
            long @Nullable [] match,
            long[] silentMillis,
            long silentMillisMax) {
        if (next == null
                || match == null
                || next.length != match.length
                || next.length != silentMillis.length) {
            return false;
        }
        for (int i = 0; i < next.length; i++) {
            if (next[i] > last && match[i] < last && silentMillis[i] <= silentMillisMax) {
                return true;
            }
        }
        return false;
    }

    private void stepDown(String why) {
        LOG.warn("{} leads and {}: it steps down", division.getMemberId(), why);
        ask(null, STEP_DOWN_MILLIS)
                .whenComplete(
                        (reply, failure) ->
                                outcome(reply, failure)
                                        .ifPresent(
                                                e ->
                                                        LOG.warn(
                                                                "{} has not stepped down",
                                                                division.getMemberId(),
                                                                e)));
    }
}
