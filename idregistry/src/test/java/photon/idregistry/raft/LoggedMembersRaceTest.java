package photon.idregistry.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static photon.idregistry.raft.LogEntries.members;
import static photon.idregistry.raft.LogEntries.number;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftGroupIdProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.LogEntryHeader;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.MethodDescriptor;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import photon.core.rpc.HostPort;
import photon.idregistry.raft.workaround.LoggedMembers;

/** What Ratis does in other threads while a follower's members are looked after. */
@Timeout(120)
class LoggedMembersRaceTest {
    private static final List<RaftMember> THREE =
            List.of(member("n0", 1), member("n1", 2), member("n2", 3));

    private final ConcurrentLinkedQueue<String> bugs = new ConcurrentLinkedQueue<>();
    private final Follower follower = new Follower();
    private final LoggedMembers members =
            new LoggedMembers(follower::server, (where, bug) -> bugs.add(bug.getMessage()));

    @Test
    void noHeartbeatCommitsWhileEntriesAreHandedIn() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Thread entries =
                new Thread(
                        () ->
                                listener(
                                                () -> {
                                                    inside.countDown();
                                                    awaitUninterrupted(goOn);
                                                })
                                        .onMessage(append(number(1, 0, 5))));
        entries.start();
        awaitUninterrupted(inside);
        CountDownLatch committed = new CountDownLatch(1);
        Thread heartbeat = new Thread(() -> listener(committed::countDown).onMessage(append()));
        heartbeat.start();
        while (heartbeat.getState() != Thread.State.BLOCKED && committed.getCount() > 0) {
            Thread.onSpinWait();
        }
        assertThat(committed.getCount()).isEqualTo(1);
        goOn.countDown();
        awaitUninterrupted(committed);
        entries.join();
        heartbeat.join();
    }

    @Test
    void aListThatNamesTheMembersThatAreKnownIsNotMissed() {
        follower.log.put(0L, members(1, 0, THREE));
        for (int i = 0; i < 10; i++) {
            listener(() -> {}).onMessage(append(members(1, 0, THREE)));
        }
        assertThat(bugs).isEmpty();
    }

    @Test
    void aListThatIsTakenAtALaterLookIsNoBug() {
        follower.log.put(0L, members(1, 0, THREE.subList(0, 2)));
        listener(() -> {}).onMessage(append(members(1, 0, THREE.subList(0, 2))));
        listener(() -> {}).onMessage(append());
        follower.takesLists = true;
        listener(() -> {}).onMessage(append());
        assertThat(follower.known).isEqualTo(0);
        follower.takesLists = false;
        int handedIn = follower.handedIn;
        listener(() -> {}).onMessage(append());
        assertThat(follower.handedIn).as("nothing is looked for any more").isEqualTo(handedIn);
        assertThat(bugs).isEmpty();
    }

    @Test
    void aListThatNoLookBringsIsABug() {
        follower.log.put(0L, members(1, 0, THREE.subList(0, 2)));
        listener(() -> {}).onMessage(append(members(1, 0, THREE.subList(0, 2))));
        assertThat(bugs).isEmpty();
        for (int i = 0; i < 10; i++) {
            listener(() -> {}).onMessage(append());
        }
        assertThat(bugs).isNotEmpty().allMatch(bug -> bug.contains("members of entry 0"));
    }

    private static RaftMember member(String name, int port) {
        return new RaftMember(name, new HostPort("127.0.0.1", port));
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            assertThat(latch.await(100, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static AppendEntriesRequestProto append(LogEntryProto... entries) {
        return AppendEntriesRequestProto.newBuilder()
                .setServerRequest(
                        RaftRpcRequestProto.newBuilder()
                                .setRaftGroupId(
                                        RaftGroupIdProto.newBuilder()
                                                .setId(
                                                        RaftGroupId.valueOf(GroupIds.control())
                                                                .toByteString())))
                .addAllEntries(List.of(entries))
                .build();
    }

    /**
     * @param whole what Ratis does with the message
     */
    private ServerCall.Listener<AppendEntriesRequestProto> listener(Runnable whole) {
        return members.interceptCall(
                new Call(),
                new Metadata(),
                (ServerCall<AppendEntriesRequestProto, AppendEntriesReplyProto> call,
                        Metadata headers) ->
                        new ServerCall.Listener<AppendEntriesRequestProto>() {
                            @Override
                            public void onMessage(AppendEntriesRequestProto message) {
                                whole.run();
                            }
                        });
    }

    /** A replica that goes by the members that it was made with, as long as a test likes. */
    private static final class Follower {
        final NavigableMap<Long, LogEntryProto> log = new TreeMap<>();
        CompletableFuture<AppendEntriesReplyProto> answer = new CompletableFuture<>();
        boolean takesLists;
        long known = -1;
        int handedIn;

        Follower() {
            answer.complete(AppendEntriesReplyProto.getDefaultInstance());
        }

        RaftServer server() {
            return of(
                    RaftServer.class,
                    (proxy, method, arguments) ->
                            switch (method.getName()) {
                                case "getDivision" -> division();
                                case "appendEntriesAsync" -> {
                                    handedIn++;
                                    if (takesLists) {
                                        known =
                                                ((AppendEntriesRequestProto) arguments[0])
                                                        .getEntries(0)
                                                        .getIndex();
                                    }
                                    yield answer;
                                }
                                default -> throw new UnsupportedOperationException(method + "");
                            });
        }

        private RaftServer.Division division() {
            return of(
                    RaftServer.Division.class,
                    (proxy, method, arguments) ->
                            switch (method.getName()) {
                                case "getRaftLog" -> log();
                                case "getRaftConf" -> configuration();
                                case "getInfo" ->
                                        of(DivisionInfo.class, (info, asked, none) -> true);
                                case "getMemberId" -> null;
                                default -> throw new UnsupportedOperationException(method + "");
                            });
        }

        private RaftConfiguration configuration() {
            return of(
                    RaftConfiguration.class,
                    (proxy, method, arguments) ->
                            switch (method.getName()) {
                                case "getLogEntryIndex" -> known;
                                case "getCurrentPeers" ->
                                        arguments[0] == RaftPeerRole.FOLLOWER
                                                ? peers()
                                                : List.<RaftPeer>of();
                                case "getPreviousPeers" -> List.<RaftPeer>of();
                                default -> throw new UnsupportedOperationException(method + "");
                            });
        }

        private static List<RaftPeer> peers() {
            return THREE.stream()
                    .map(member -> RaftPeer.newBuilder().setId(member.name()).build())
                    .toList();
        }

        private RaftLog log() {
            return of(
                    RaftLog.class,
                    (proxy, method, arguments) ->
                            switch (method.getName()) {
                                case "getTermIndex" -> {
                                    LogEntryProto entry = log.get((long) arguments[0]);
                                    yield entry == null ? null : TermIndex.valueOf(entry);
                                }
                                case "contains" -> {
                                    LogEntryProto entry =
                                            log.get(((TermIndex) arguments[0]).getIndex());
                                    yield entry != null
                                            && TermIndex.valueOf(entry).equals(arguments[0]);
                                }
                                case "get" -> log.get((long) arguments[0]);
                                case "getLastCommittedIndex" -> -1L;
                                case "getNextIndex" -> (long) log.size();
                                case "isOpened" -> true;
                                case "getEntries" ->
                                        log
                                                .subMap((long) arguments[0], (long) arguments[1])
                                                .values()
                                                .stream()
                                                .map(LogEntryHeader::valueOf)
                                                .toArray(LogEntryHeader[]::new);
                                default -> throw new UnsupportedOperationException(method + "");
                            });
        }

        private static <T> T of(Class<T> type, InvocationHandler handler) {
            return type.cast(
                    Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
        }
    }

    private static final class Call
            extends ServerCall<AppendEntriesRequestProto, AppendEntriesReplyProto> {
        @Override
        public MethodDescriptor<AppendEntriesRequestProto, AppendEntriesReplyProto>
                getMethodDescriptor() {
            return RaftServerProtocolServiceGrpc.getAppendEntriesMethod();
        }

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public void request(int messages) {}

        @Override
        public void sendHeaders(Metadata headers) {}

        @Override
        public void sendMessage(AppendEntriesReplyProto message) {}

        @Override
        public void close(org.apache.ratis.thirdparty.io.grpc.Status status, Metadata trailers) {}
    }
}
