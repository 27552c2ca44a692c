package photon.cli.registry;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import photon.core.error.BugHandler;
import photon.core.loop.ThreadLoop;
import photon.core.rpc.Caller;
import photon.core.rpc.GrpcChannels;
import photon.core.rpc.HostPort;
import photon.core.rpc.RpcCounter;
import photon.proto.v1.MembersGrpc;
import photon.proto.v1.Progress;
import photon.proto.v1.ReplaceMemberRequest;
import photon.proto.v1.ReplaceMemberResponse;

/** Has the control group replace a server's disk, whichever server leads it. */
public final class MemberSession {
    private static final int QUEUED_MAX = 1_024;
    private static final Duration EACH = Duration.ofSeconds(5);
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final List<HostPort> servers;
    private final Duration patience;

    /**
     * @param patience how long to wait for the control group
     */
    public MemberSession(List<HostPort> servers, Duration patience) {
        this.servers = List.copyOf(servers);
        this.patience = patience;
    }

    /**
     * Asks until it is decided: what is asked twice is done once.
     *
     * @throws TimeoutException if nothing was heard so long: it may be done all the same
     */
    public ReplaceMemberResponse replace(String name, int number) throws TimeoutException {
        ReplaceMemberRequest request =
                ReplaceMemberRequest.newBuilder()
                        .setName(name)
                        .setNumber(number)
                        .setActor(ControlSession.actor())
                        .build();
        ThreadLoop loop = new ThreadLoop("members", QUEUED_MAX, BugHandler.stopProcess());
        CompletableFuture<GrpcChannels> made = new CompletableFuture<>();
        loop.execute(() -> made.complete(new GrpcChannels(loop, new RpcCounter())));
        GrpcChannels channels = made.join();
        try {
            long began = System.nanoTime();
            while (System.nanoTime() - began < patience.toNanos()) {
                for (HostPort server : servers) {
                    ReplaceMemberResponse answer = ask(loop, channels, server, request);
                    if (answer.getProgress() == Progress.DECIDED) {
                        return answer;
                    }
                }
                LockSupport.parkNanos(PAUSE.toNanos());
            }
            throw new TimeoutException("No answer within " + patience);
        } finally {
            CompletableFuture<Boolean> closed = new CompletableFuture<>();
            loop.execute(
                    () -> {
                        channels.close();
                        closed.complete(true);
                    });
            closed.join();
            loop.close();
        }
    }

    private ReplaceMemberResponse ask(
            ThreadLoop loop, GrpcChannels channels, HostPort server, ReplaceMemberRequest request) {
        CompletableFuture<ReplaceMemberResponse> answer = new CompletableFuture<>();
        Duration deadline = patience.compareTo(EACH) < 0 ? patience : EACH;
        loop.execute(
                () ->
                        channels.unary(server, MembersGrpc.getReplaceMemberMethod(), deadline)
                                .call(
                                        request,
                                        new Caller.Reply<>() {
                                            @Override
                                            public void answered(ReplaceMemberResponse said) {
                                                answer.complete(said);
                                            }

                                            @Override
                                            public void broken(String why) {
                                                answer.complete(
                                                        ReplaceMemberResponse.getDefaultInstance());
                                            }
                                        }));
        return answer.completeOnTimeout(
                        ReplaceMemberResponse.getDefaultInstance(),
                        2 * deadline.toMillis(),
                        TimeUnit.MILLISECONDS)
                .join();
    }
}
