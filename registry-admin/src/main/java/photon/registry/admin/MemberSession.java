package photon.registry.admin;

import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import photon.core.error.BugHandler;
import photon.core.loop.ThreadLoop;
import photon.core.rpc.Caller;
import photon.core.rpc.GrpcChannels;
import photon.core.rpc.HostPort;
import photon.core.rpc.RpcCounter;
import photon.proto.v1.ChangeRosterRequest;
import photon.proto.v1.ChangeRosterResponse;
import photon.proto.v1.MembersGrpc;
import photon.proto.v1.Progress;
import photon.proto.v1.ReplaceMemberRequest;
import photon.proto.v1.ReplaceMemberResponse;

/** Has the control group change members and their disks, whichever server leads it. */
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
        return decided(
                MembersGrpc.getReplaceMemberMethod(),
                request,
                ReplaceMemberResponse.getDefaultInstance(),
                ReplaceMemberResponse::getProgress);
    }

    /**
     * Asks until it is decided: what is asked twice is done once.
     *
     * @param version of the roster that is to be changed
     * @throws TimeoutException if nothing was heard so long: it may be done all the same
     */
    public ChangeRosterResponse change(ChangeRosterRequest.Change change, String name, long version)
            throws TimeoutException {
        ChangeRosterRequest request =
                ChangeRosterRequest.newBuilder()
                        .setChange(change)
                        .setName(name)
                        .setVersion(version)
                        .setActor(ControlSession.actor())
                        .build();
        return decided(
                MembersGrpc.getChangeRosterMethod(),
                request,
                ChangeRosterResponse.getDefaultInstance(),
                answer ->
                        answer.getVerdict() == ChangeRosterResponse.Verdict.NOT_KNOWN_YET
                                ? Progress.PROGRESS_UNSPECIFIED
                                : answer.getProgress());
    }

    private <Q, R> R decided(
            MethodDescriptor<Q, R> method, Q request, R none, Function<R, Progress> progress)
            throws TimeoutException {
        ThreadLoop loop = new ThreadLoop("members", QUEUED_MAX, BugHandler.stopProcess());
        CompletableFuture<GrpcChannels> made = new CompletableFuture<>();
        loop.execute(() -> made.complete(new GrpcChannels(loop, new RpcCounter())));
        GrpcChannels channels = made.join();
        try {
            long began = System.nanoTime();
            while (System.nanoTime() - began < patience.toNanos()) {
                for (HostPort server : servers) {
                    R answer = ask(loop, channels, server, method, request, none);
                    if (progress.apply(answer) == Progress.DECIDED) {
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

    private <Q, R> R ask(
            ThreadLoop loop,
            GrpcChannels channels,
            HostPort server,
            MethodDescriptor<Q, R> method,
            Q request,
            R none) {
        CompletableFuture<R> answer = new CompletableFuture<>();
        Duration deadline = patience.compareTo(EACH) < 0 ? patience : EACH;
        loop.execute(
                () ->
                        channels.unary(server, method, deadline)
                                .call(
                                        request,
                                        new Caller.Reply<>() {
                                            @Override
                                            public void answered(R said) {
                                                answer.complete(said);
                                            }

                                            @Override
                                            public void broken(String why) {
                                                answer.complete(none);
                                            }
                                        }));
        return answer.completeOnTimeout(none, 2 * deadline.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }
}
