package photon.idregistry.raft.workaround;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.LogEntryProto.LogEntryBodyCase;
import org.apache.ratis.protocol.RaftGroupId;
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
 * <p>To be called where one leader's messages are handed in at a time ({@link AppendOrdering}).
 */
public final class LoggedMembers implements ServerInterceptor {
    private final Supplier<RaftServer> server;
    private final BugHandler bugs;

    /** One a group that there was. */
    private final ConcurrentMap<ByteString, Object> locks = new ConcurrentHashMap<>();

    public LoggedMembers(Supplier<RaftServer> server, BugHandler bugs) {
        this.server = server;
        this.bugs = bugs;
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        Replies<Q, R> replies = new Replies<>(call);
        return new SimpleForwardingServerCallListener<>(next.startCall(replies, headers)) {
            @Override
            public void onMessage(Q message) {
                if (message instanceof AppendEntriesRequestProto append
                        && append.getEntriesCount() > 0) {
                    replies.hold();
                    try {
                        handIn(append, () -> super.onMessage(message));
                    } finally {
                        replies.release();
                    }
                } else {
                    super.onMessage(message);
                }
            }
        };
    }

    private void handIn(AppendEntriesRequestProto append, Runnable whole) {
        // Two calls of one leader may be at it, as when it has just begun a new one.
        ByteString group = append.getServerRequest().getRaftGroupId().getId();
        synchronized (locks.computeIfAbsent(group, g -> new Object())) {
            RaftServer.Division division = division(append);
            long known = division == null ? -1 : before(append, division);
            whole.run();
            if (division != null) {
                behind(append, known, division);
            }
        }
    }

    /** The list that the replica goes by then; -1 for none, also if that cannot be known. */
    private long before(AppendEntriesRequestProto append, RaftServer.Division division) {
        try {
            RaftLog log = division.getRaftLog();
            int cuts = cuts(append.getEntriesList(), log);
            if (cuts >= 0 && append.getEntriesList().stream().anyMatch(LoggedMembers::isList)) {
                // Commits nothing yet: what is committed is not handed in again.
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
            AppendEntriesRequestProto append, long known, RaftServer.Division division) {
        try {
            long now = division.getRaftConf().getLogEntryIndex();
            if (now < Math.max(known, lastList(append, division.getRaftLog()))) {
                // None before the message's first entry was forgotten.
                handInLists(append, Math.max(now + 1, append.getEntries(0).getIndex()), division);
            }
        } catch (IOException | RuntimeException e) {
            if (isOpen(division)) {
                report(division, e);
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

    private RaftServer.@Nullable Division division(AppendEntriesRequestProto append) {
        try {
            return server.get()
                    .getDivision(
                            RaftGroupId.valueOf(
                                    append.getServerRequest().getRaftGroupId().getId()));
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
            AppendEntriesRequestProto append, long from, RaftServer.Division division)
            throws IOException {
        RaftLog log = division.getRaftLog();
        long last = -1;
        LogEntryHeader[] headers = log.getEntries(from, log.getNextIndex());
        for (LogEntryHeader header : headers == null ? new LogEntryHeader[0] : headers) {
            if (header.getLogEntryBodyCase() == LogEntryBodyCase.CONFIGURATIONENTRY) {
                last = header.getIndex();
                handIn(alone(append, log, last));
            }
        }
        long now = division.getRaftConf().getLogEntryIndex();
        if (now < last && division.getInfo().isAlive()) {
            // As when a heartbeat has committed the list in between: a start reads it from the log.
            report(
                    division,
                    new IllegalStateException(
                            "Expected the members of entry %s, the last in the log, but they are those of %s"
                                    .formatted(last, now)));
        }
    }

    private void report(RaftServer.Division division, Exception why) {
        bugs.onBug("The members of " + division.getMemberId() + "; a start reads them anew", why);
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
    private void handIn(AppendEntriesRequestProto part) {
        try {
            CompletableFuture<AppendEntriesReplyProto> unused =
                    server.get().appendEntriesAsync(part);
        } catch (IOException | CompletionException e) {
            // The whole, or the look behind it, finds the same.
        }
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
