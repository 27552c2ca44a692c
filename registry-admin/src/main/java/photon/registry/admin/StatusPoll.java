package photon.registry.admin;

import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import photon.core.error.BugHandler;
import photon.core.error.ConfigException;
import photon.core.loop.ThreadLoop;
import photon.core.rpc.Caller;
import photon.core.rpc.GrpcChannels;
import photon.core.rpc.HostPort;
import photon.core.rpc.ProcessRpcs;
import photon.core.rpc.RpcSecurity;
import photon.core.time.IntervalClock;
import photon.core.time.SystemClock;
import photon.proto.v1.DescribeAuditRequest;
import photon.proto.v1.DescribeAuditResponse;
import photon.proto.v1.DescribeServerRequest;
import photon.proto.v1.DescribeServerResponse;
import photon.proto.v1.RegistryStatusGrpc;
import photon.proto.v1.ServerMember;

/** Asks registry servers what they are. */
public final class StatusPoll {
    private static final int QUEUED_MAX = 1_024;

    /**
     * What became of a question.
     *
     * @param trouble why there is no answer; empty with one
     * @param clock how the server's clock compares with this machine's; empty: it does not tell
     */
    public record Answer(
            HostPort asked,
            Optional<DescribeServerResponse> server,
            String trouble,
            Optional<ClockLook> clock) {
        Answer(HostPort asked, Optional<DescribeServerResponse> server, String trouble) {
            this(asked, server, trouble, Optional.empty());
        }

        Answer orClockOf(Answer later) {
            return new Answer(
                    asked,
                    server,
                    trouble,
                    clock.flatMap(mine -> later.clock().map(mine::orBetter)).or(() -> clock));
        }
    }

    /** Only to compare servers' clocks with. */
    private final IntervalClock clock = new SystemClock(Duration.ZERO);

    private final Duration timeout;
    private final RpcSecurity security;

    /**
     * @param security how servers are reached
     * @param timeout for each server; all are asked at the same time
     */
    public StatusPoll(Duration timeout, RpcSecurity security) {
        this.security = security;
        this.timeout = timeout;
    }

    /**
     * Asks these servers, and then those which only their answers name. Takes at most four times
     * the timeout.
     */
    public List<Answer> ask(List<HostPort> servers) {
        return withChannels((loop, channels) -> ask(loop, channels, servers));
    }

    /** Asks these servers and no other. Takes at most twice the timeout. */
    public List<Answer> askOnly(List<HostPort> servers) {
        return withChannels((loop, channels) -> askAll(loop, channels, servers));
    }

    /**
     * What the servers know of what was done, of those that answer.
     *
     * @param sinceMicros only of what may have been later
     */
    public List<DescribeAuditResponse> askAudit(List<HostPort> servers, long sinceMicros) {
        DescribeAuditRequest request =
                DescribeAuditRequest.newBuilder().setSinceMicros(sinceMicros).build();
        return withChannels(
                (loop, channels) -> {
                    List<CompletableFuture<Optional<DescribeAuditResponse>>> asked =
                            new ArrayList<>();
                    for (HostPort server : servers) {
                        CompletableFuture<Optional<DescribeAuditResponse>> answer =
                                new CompletableFuture<>();
                        asked.add(answer);
                        loop.execute(
                                () ->
                                        call(
                                                channels,
                                                server,
                                                RegistryStatusGrpc.getDescribeAuditMethod(),
                                                request,
                                                known -> answer.complete(Optional.of(known)),
                                                why -> answer.complete(Optional.empty())));
                    }
                    return asked.stream().flatMap(answer -> answer.join().stream()).toList();
                });
    }

    private <T> T withChannels(BiFunction<ThreadLoop, GrpcChannels, T> asking) {
        ThreadLoop loop = new ThreadLoop("status", QUEUED_MAX, BugHandler.stopProcess());
        CompletableFuture<GrpcChannels> made = new CompletableFuture<>();
        loop.execute(() -> made.complete(new GrpcChannels(loop, new ProcessRpcs(security))));
        GrpcChannels channels = made.join();
        try {
            return asking.apply(loop, channels);
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

    private List<Answer> ask(ThreadLoop loop, GrpcChannels channels, List<HostPort> servers) {
        List<Answer> answers = askAll(loop, channels, servers);
        List<HostPort> others = named(answers);
        answers.addAll(askAll(loop, channels, others));
        return answers;
    }

    /** Members that were not asked, by name or address. */
    private static List<HostPort> named(List<Answer> answers) {
        Set<String> known = new HashSet<>();
        for (Answer answer : answers) {
            known.add(answer.asked().toString());
            answer.server().ifPresent(server -> known.add(server.getName()));
        }
        Map<String, HostPort> others = new LinkedHashMap<>();
        for (Answer answer : answers) {
            for (ServerMember member :
                    answer.server().map(DescribeServerResponse::getMembersList).orElse(List.of())) {
                if (!known.contains(member.getName()) && !known.contains(member.getService())) {
                    address(member).ifPresent(at -> others.put(member.getName(), at));
                }
            }
        }
        return List.copyOf(others.values());
    }

    private static Optional<HostPort> address(ServerMember member) {
        try {
            return Optional.of(HostPort.parse(member.getService()));
        } catch (ConfigException e) {
            return Optional.empty();
        }
    }

    private List<Answer> askAll(ThreadLoop loop, GrpcChannels channels, List<HostPort> servers) {
        List<CompletableFuture<Answer>> asked = new ArrayList<>();
        for (HostPort server : servers) {
            CompletableFuture<Answer> answer = new CompletableFuture<>();
            asked.add(answer);
            loop.execute(() -> ask(channels, server, answer));
        }
        List<Answer> answers = new ArrayList<>();
        asked.forEach(answer -> answers.add(answer.join()));
        return answers;
    }

    private void ask(GrpcChannels channels, HostPort server, CompletableFuture<Answer> answer) {
        long asked = clock.now().earliestMicros();
        describe(
                channels,
                server,
                known -> {
                    Answer first = answer(server, known, asked, clock.now().earliestMicros());
                    if (first.clock().isEmpty()) {
                        answer.complete(first);
                    } else {
                        lookAgain(channels, first, answer);
                    }
                },
                why -> answer.complete(new Answer(server, Optional.empty(), explain(why))));
    }

    /** The first answer took as long as the connection did to open, which says little of clocks. */
    private void lookAgain(GrpcChannels channels, Answer first, CompletableFuture<Answer> answer) {
        long asked = clock.now().earliestMicros();
        describe(
                channels,
                first.asked(),
                known ->
                        answer.complete(
                                first.orClockOf(
                                        answer(
                                                first.asked(),
                                                known,
                                                asked,
                                                clock.now().earliestMicros()))),
                why -> answer.complete(first));
    }

    private void describe(
            GrpcChannels channels,
            HostPort server,
            Consumer<DescribeServerResponse> answered,
            Consumer<String> broken) {
        call(
                channels,
                server,
                RegistryStatusGrpc.getDescribeServerMethod(),
                DescribeServerRequest.getDefaultInstance(),
                answered,
                broken);
    }

    private static Answer answer(
            HostPort server,
            DescribeServerResponse response,
            long askedMicros,
            long answeredMicros) {
        return new Answer(
                server,
                Optional.of(response),
                "",
                response.hasClock()
                        ? Optional.of(
                                ClockLook.of(response.getClock(), askedMicros, answeredMicros))
                        : Optional.empty());
    }

    private <Q, R> void call(
            GrpcChannels channels,
            HostPort server,
            MethodDescriptor<Q, R> method,
            Q request,
            Consumer<R> answered,
            Consumer<String> broken) {
        channels.unary(server, method, timeout)
                .call(
                        request,
                        new Caller.Reply<>() {
                            @Override
                            public void answered(R response) {
                                answered.accept(response);
                            }

                            @Override
                            public void broken(String why) {
                                broken.accept(why);
                            }
                        });
    }

    private String explain(String why) {
        if (why.contains(": DEADLINE_EXCEEDED")) {
            return "no answer within " + timeout.toMillis() + " ms";
        }
        if (why.contains(": UNAVAILABLE")) {
            return "cannot be reached";
        }
        if (why.contains(": UNIMPLEMENTED")) {
            return "a registry server that waits for the others at its first start, or another program";
        }
        return why;
    }
}
