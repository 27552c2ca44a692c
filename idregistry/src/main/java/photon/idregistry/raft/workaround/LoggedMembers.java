package photon.idregistry.raft.workaround;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.LogEntryProto.LogEntryBodyCase;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.LogEntryHeader;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.error.BugHandler;

/**
 * Sees to it that a follower goes by the last list of members in its log, as Raft wants it. Ratis
 * 3.3.0 forgets lists that are there, and goes by an older one until the next change or start:
 *
 * <ul>
 *   <li>It takes over the lists of a message, and then cuts what the message replaces off its log,
 *       and all lists from there on (RaftServerImpl.appendEntriesAsync, notifyTruncatedLogEntry).
 *       So the cut is made first, by as much of the message as makes it.
 *   <li>It forgets all lists behind the first entry of a message, also if that is here already, and
 *       the lists stay in the log behind it (ServerState.updateConfiguration). So those are handed
 *       in once more.
 * </ul>
 *
 * <p>A confirmation of entries leaves only after the replica goes by their lists: a leader that has
 * it may count on that. Ratis may confirm while the lists are still being handed in.
 *
 * <p>Ratis takes no list that is committed already. So a heartbeat, which may commit, waits while a
 * message with entries is handed in. Should a list be missing all the same, the next messages look
 * again; only if that changes nothing, and other members are in the list than the replica goes by,
 * is it a bug: then a start is needed, which reads the list from the log.
 *
 * <p>A replica that becomes a member votes before it has heard so ({@link NewcomerVote}).
 *
 * <p>To be called where one leader's messages are handed in at a time ({@link AppendOrdering}).
 */
public final class LoggedMembers implements ServerInterceptor {
    private static final Logger log = LoggerFactory.getLogger(LoggedMembers.class);

    private static final int LOOKS_MAX = 5;

    private final Supplier<RaftServer> server;
    private final BugHandler bugs;

    /** One a group that there was. */
    private final ConcurrentMap<ByteString, GroupTurn> turns = new ConcurrentHashMap<>();

    public LoggedMembers(Supplier<RaftServer> server, BugHandler bugs) {
        this.server = server;
        this.bugs = bugs;
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        Replies<Q, R> replies = new Replies<>(call);
        return new SimpleForwardingServerCallListener<>(next.startCall(replies, headers)) {
            /** gRPC has it worked at when it has heard that it is the last. */
            private @Nullable RequestVoteRequestProto vote;

            @Override
            public void onHalfClose() {
                if (vote != null) {
                    vote(vote);
                }
                super.onHalfClose();
            }

            @Override
            public void onMessage(Q message) {
                if (message instanceof RequestVoteRequestProto request) {
                    vote = request;
                    super.onMessage(message);
                } else if (!(message instanceof AppendEntriesRequestProto append)) {
                    super.onMessage(message);
                } else if (append.getEntriesCount() == 0) {
                    heartbeat(append, () -> super.onMessage(message));
                } else {
                    replies.hold();
                    try {
                        handIn(append, () -> super.onMessage(message));
                    } finally {
                        replies.release();
                    }
                }
            }
        };
    }

    private void vote(RequestVoteRequestProto request) {
        RaftServer.Division division = division(request.getServerRequest());
        if (division != null) {
            NewcomerVote.hear(server.get(), division, request);
        }
    }

    private void handIn(AppendEntriesRequestProto append, Runnable whole) {
        // Two calls of one leader may be at it, as when it has just begun a new one.
        GroupTurn turn = turn(append);
        synchronized (turn) {
            RaftServer.Division division = division(append.getServerRequest());
            long known = division == null ? -1 : before(append, division);
            whole.run();
            if (division != null) {
                behind(append, known, division, turn);
            }
        }
    }

    private void heartbeat(AppendEntriesRequestProto append, Runnable whole) {
        GroupTurn turn = turn(append);
        synchronized (turn) {
            whole.run();
            RaftServer.Division division =
                    turn.looks == 0 ? null : division(append.getServerRequest());
            if (division != null) {
                behind(append, -1, division, turn);
            }
        }
    }

    private GroupTurn turn(AppendEntriesRequestProto append) {
        return turns.computeIfAbsent(
                append.getServerRequest().getRaftGroupId().getId(), g -> new GroupTurn());
    }

    /** The list that the replica goes by then; -1 for none, also if that cannot be known. */
    private long before(AppendEntriesRequestProto append, RaftServer.Division division) {
        try {
            RaftLog log = division.getRaftLog();
            int cuts = cuts(append.getEntriesList(), log);
            if (cuts >= 0 && append.getEntriesList().stream().anyMatch(LoggedMembers::isList)) {
                // Commits nothing yet: what is committed is not handed in again.
                CompletableFuture<?> unused =
                        handIn(
                                append.toBuilder()
                                        .clearEntries()
                                        .addAllEntries(append.getEntriesList().subList(0, cuts + 1))
                                        .setLeaderCommit(log.getLastCommittedIndex())
                                        .build());
            }
            return division.getRaftConf().getLogEntryIndex();
        } catch (RuntimeException e) {
            // The log is being opened or closed: Ratis refuses the whole.
            return -1;
        }
    }

    private void behind(
            AppendEntriesRequestProto append,
            long known,
            RaftServer.Division division,
            GroupTurn turn) {
        try {
            long now = division.getRaftConf().getLogEntryIndex();
            if (turn.looks > 0) {
                handInLists(append, now + 1, division, turn);
            } else if (now < Math.max(known, lastList(append, division.getRaftLog()))) {
                // None before the message's first entry was forgotten.
                handInLists(
                        append, Math.max(now + 1, append.getEntries(0).getIndex()), division, turn);
            }
        } catch (IOException | RuntimeException e) {
            if (isOpen(division)) {
                missing(division, turn, e);
            }
        }
    }

    private static boolean isOpen(RaftServer.Division division) {
        try {
            return division.getInfo().isAlive() && division.getRaftLog().isOpened();
        } catch (IllegalStateException e) {
            return false;
        }
    }

    private RaftServer.@Nullable Division division(RaftRpcRequestProto request) {
        try {
            return server.get().getDivision(RaftGroupId.valueOf(request.getRaftGroupId().getId()));
        } catch (IOException e) {
            // There is no such group here, as Ratis will say.
            return null;
        }
    }

    /** The place of the first entry that takes another one's place; -1 if there is none. */
    private static int cuts(List<LogEntryProto> entries, RaftLog log) {
        for (int i = 0; i < entries.size(); i++) {
            LogEntryProto entry = entries.get(i);
            TermIndex here = log.getTermIndex(entry.getIndex());
            if (here == null) {
                return -1;
            }
            if (here.getTerm() != entry.getTerm()) {
                return i;
            }
        }
        return -1;
    }

    private static boolean isList(LogEntryProto entry) {
        return entry.hasConfigurationEntry();
    }

    /** The index of the last one that is in the log; -1 for none. */
    private static long lastList(AppendEntriesRequestProto append, RaftLog log) {
        for (int i = append.getEntriesCount() - 1; i >= 0; i--) {
            LogEntryProto entry = append.getEntries(i);
            if (isList(entry) && log.contains(TermIndex.valueOf(entry))) {
                return entry.getIndex();
            }
        }
        return -1;
    }

    /** Those that the log holds from an index on, each by itself. */
    private void handInLists(
            AppendEntriesRequestProto append,
            long from,
            RaftServer.Division division,
            GroupTurn turn)
            throws IOException {
        RaftLog entries = division.getRaftLog();
        long last = -1;
        LogEntryHeader[] headers = entries.getEntries(from, entries.getNextIndex());
        for (LogEntryHeader header : headers == null ? new LogEntryHeader[0] : headers) {
            if (header.getLogEntryBodyCase() == LogEntryBodyCase.CONFIGURATIONENTRY) {
                last = header.getIndex();
                CompletableFuture<?> unused = handIn(alone(append, entries, last));
            }
        }
        RaftConfiguration now = division.getRaftConf();
        if (now.getLogEntryIndex() >= last
                || isOf(Objects.requireNonNull(entries.get(last), "an entry"), now)) {
            turn.looks = 0;
        } else if (division.getInfo().isAlive()) {
            missing(
                    division,
                    turn,
                    new IllegalStateException(
                            "Expected the members of entry %s, the last in the log, but they are those of %s"
                                    .formatted(last, now.getLogEntryIndex())));
        }
    }

    /** True if a list has the members that the replica goes by. */
    private static boolean isOf(LogEntryProto list, RaftConfiguration now) {
        RaftConfigurationProto listed = list.getConfigurationEntry();
        return names(listed.getPeersList()).equals(ids(now.getCurrentPeers(RaftPeerRole.FOLLOWER)))
                && names(listed.getListenersList())
                        .equals(ids(now.getCurrentPeers(RaftPeerRole.LISTENER)))
                && names(listed.getOldPeersList())
                        .equals(ids(now.getPreviousPeers(RaftPeerRole.FOLLOWER)))
                && names(listed.getOldListenersList())
                        .equals(ids(now.getPreviousPeers(RaftPeerRole.LISTENER)));
    }

    private static Set<RaftPeerId> names(List<RaftPeerProto> peers) {
        return peers.stream()
                .map(peer -> RaftPeerId.valueOf(peer.getId()))
                .collect(Collectors.toSet());
    }

    private static Set<RaftPeerId> ids(Collection<RaftPeer> peers) {
        return peers.stream().map(RaftPeer::getId).collect(Collectors.toSet());
    }

    private void missing(RaftServer.Division division, GroupTurn turn, Exception why) {
        turn.looks++;
        if (turn.looks < LOOKS_MAX) {
            log.warn("The members of {}; looks again: {}", division.getMemberId(), why.toString());
        } else {
            bugs.onBug(
                    "The members of " + division.getMemberId() + "; a start reads them anew", why);
        }
    }

    private static AppendEntriesRequestProto alone(
            AppendEntriesRequestProto append, RaftLog log, long index) throws IOException {
        AppendEntriesRequestProto.Builder alone =
                append.toBuilder()
                        .clearPreviousLog()
                        .clearEntries()
                        .addEntries(Objects.requireNonNull(log.get(index), "an entry"))
                        .setLeaderCommit(log.getLastCommittedIndex());
        TermIndex previous = log.getTermIndex(index - 1);
        if (previous != null) {
            alone.setPreviousLog(previous.toProto());
        }
        return alone.build();
    }

    /** Behind the caller's back, who hears of the whole alone. */
    private CompletableFuture<AppendEntriesReplyProto> handIn(AppendEntriesRequestProto part) {
        try {
            return server.get().appendEntriesAsync(part);
        } catch (IOException | CompletionException e) {
            // The whole, or the look behind it, finds the same.
            return CompletableFuture.failedFuture(e);
        }
    }

    /** One group's messages go through here one at a time; guarded by itself. */
    private static final class GroupTurn {
        /** In a row that found a list missing. */
        int looks;
    }

    /** What is sent on a call; it waits while a message of that call is handed in. */
    private static final class Replies<Q, R> extends SimpleForwardingServerCall<Q, R> {
        private final Queue<Runnable> held = new ArrayDeque<>();
        private boolean holding;

        Replies(ServerCall<Q, R> call) {
            super(call);
        }

        synchronized void hold() {
            holding = true;
        }

        synchronized void release() {
            holding = false;
            while (!held.isEmpty()) {
                held.remove().run();
            }
        }

        private synchronized void send(Runnable send) {
            if (holding) {
                held.add(send);
            } else {
                send.run();
            }
        }

        @Override
        public void sendHeaders(Metadata headers) {
            send(() -> super.sendHeaders(headers));
        }

        @Override
        public void sendMessage(R message) {
            send(() -> super.sendMessage(message));
        }

        @Override
        public void close(Status status, Metadata trailers) {
            send(() -> super.close(status, trailers));
        }
    }
}
