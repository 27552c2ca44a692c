package photon.core.rpc;

import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.inprocess.InProcessChannelBuilder;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.loop.EventLoop;
import photon.core.security.Role;

/**
 * The gRPC connections of one component, one a peer, and callers over them. gRPC's own retries are
 * off: no layer beneath ours sends a request twice. A server of this process is called without a
 * network. Callers are made and used in the loop.
 */
public final class GrpcChannels implements AutoCloseable {
    /** Above the largest batch of any service, with its payloads. */
    static final int MESSAGE_BYTES_MAX = 64 << 20;

    private static final int MESSAGES_AHEAD = 16;

    /**
     * A peer that says nothing for so long is asked whether it is there, and has as long to answer:
     * a frozen process or a host that is gone ends no connection by itself. gRPC asks no oftener.
     */
    static final Duration SILENT = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(GrpcChannels.class);

    /** More than a process has peers and reasons. */
    private static final int TOLD_MAX = 100;

    private final EventLoop loop;
    private final ProcessRpcs rpcs;

    /** Why peers have refused this process. In the loop. */
    private final Set<String> told = new HashSet<>();

    private final Map<HostPort, ManagedChannel> channels = new HashMap<>();

    /** To servers of this process, by the name that gRPC knows them by. */
    private final Map<String, ManagedChannel> channelsHere = new HashMap<>();

    public GrpcChannels(EventLoop loop, ProcessRpcs rpcs) {
        this.loop = loop;
        this.rpcs = rpcs;
    }

    private ManagedChannel channel(HostPort peer) {
        String here = rpcs.serverHere(peer);
        if (here != null) {
            return channelsHere.computeIfAbsent(
                    here,
                    name ->
                            InProcessChannelBuilder.forName(name)
                                    .disableRetry()
                                    .directExecutor()
                                    .build());
        }
        return channels.computeIfAbsent(peer, this::connect);
    }

    private ManagedChannel connect(HostPort peer) {
        ManagedChannel channel =
                rpcs.security()
                        .channelTo(peer, Role.DAEMON)
                        .disableRetry()
                        .keepAliveTime(SILENT.toSeconds(), TimeUnit.SECONDS)
                        .keepAliveTimeout(SILENT.toSeconds(), TimeUnit.SECONDS)
                        .directExecutor()
                        .maxInboundMessageSize(MESSAGE_BYTES_MAX)
                        .build();
        Reconnects.watch(channel, loop);
        return channel;
    }

    /** A call a request, each with the deadline. */
    public <Q, R> Caller<Q, R> unary(
            HostPort peer, MethodDescriptor<Q, R> method, Duration deadline) {
        return new UnaryCaller<>(peer, method, deadline);
    }

    /** One stream for all requests, opened anew by the next request after it broke. */
    public <Q, R> Caller<Q, R> stream(
            HostPort peer,
            MethodDescriptor<Q, R> method,
            Duration deadline,
            Numbering<Q, R> numbering) {
        return new StreamCaller<>(loop, session(peer, method), deadline, numbering);
    }

    public <Q, R> SessionCaller<Q, R> session(HostPort peer, MethodDescriptor<Q, R> method) {
        return new GrpcSessionCaller<>(peer, method);
    }

    /** Connections are cut. */
    @Override
    public void close() {
        channels.values().forEach(ManagedChannel::shutdownNow);
        channels.clear();
        channelsHere.values().forEach(ManagedChannel::shutdownNow);
        channelsHere.clear();
    }

    /**
     * How requests and answers of a stream carry their number.
     *
     * @param numbered gives the request with this number in it
     * @param numberOf reads an answer's number
     */
    public record Numbering<Q, R>(Numbered<Q> numbered, ToLongFunction<R> numberOf) {
        /** Puts a number into a request. */
        @FunctionalInterface
        public interface Numbered<Q> {
            Q with(Q request, long number);
        }
    }

    private final class UnaryCaller<Q, R> implements Caller<Q, R> {
        private final HostPort peer;
        private final MethodDescriptor<Q, R> method;
        private final Duration deadline;
        private final Map<ClientCall<Q, R>, Reply<R>> waiting = new HashMap<>();

        UnaryCaller(HostPort peer, MethodDescriptor<Q, R> method, Duration deadline) {
            this.peer = peer;
            this.method = method;
            this.deadline = deadline;
        }

        @Override
        public void call(Q request, Reply<R> reply) {
            loop.checkInLoop();
            rpcs.count();
            ClientCall<Q, R> call =
                    channel(peer)
                            .newCall(
                                    method,
                                    io.grpc.CallOptions.DEFAULT.withDeadlineAfter(
                                            deadline.toMillis(), TimeUnit.MILLISECONDS));
            waiting.put(call, reply);
            call.start(
                    new ClientCall.Listener<R>() {
                        private volatile @Nullable R answer;

                        @Override
                        public void onMessage(R message) {
                            answer = message;
                        }

                        @Override
                        public void onClose(Status status, Metadata trailers) {
                            loop.execute(() -> settle(call, status, trailers, answer));
                        }
                    },
                    new Metadata());
            call.request(2);
            call.sendMessage(request);
            call.halfClose();
        }

        private void settle(
                ClientCall<Q, R> call, Status status, Metadata trailers, @Nullable R answer) {
            Reply<R> reply = waiting.remove(call);
            if (reply == null) {
                return;
            }
            if (status.isOk() && answer != null) {
                reply.answered(answer);
            } else {
                reply.broken(broken(method, peer, status, trailers));
            }
        }

        @Override
        public void close() {
            waiting.keySet().forEach(call -> call.cancel("closed by the caller", null));
        }
    }

    /**
     * Also tells people of a peer that refuses this process: callers only try again, and it takes a
     * person to give the process another certificate.
     */
    private String broken(
            MethodDescriptor<?, ?> method, HostPort peer, Status status, Metadata trailers) {
        String why = describe(method, peer, status, trailers);
        if ((status.getCode() == Status.Code.PERMISSION_DENIED || isOfTls(status))
                && told.size() < TOLD_MAX
                && told.add(why)) {
            LOG.warn("A peer refuses this process, or is refused: {}", why);
        }
        return why;
    }

    private static boolean isOfTls(Status status) {
        for (Throwable at = status.getCause(); at != null; at = at.getCause()) {
            if (at instanceof SSLException || at instanceof CertificateException) {
                return true;
            }
        }
        return false;
    }

    private static String describe(
            MethodDescriptor<?, ?> method, HostPort peer, Status status, Metadata trailers) {
        String description = status.getDescription();
        return method.getBareMethodName()
                + " at "
                + peer
                + ": "
                + status.getCode()
                // The lines below the first are gRPC's own insides.
                + (description == null
                        ? ""
                        : " (" + description.split("\n", 2)[0] + cause(status) + ")")
                + RpcError.codeOf(trailers).map(code -> ", error " + code).orElse("");
    }

    /** gRPC says of every connection that failed that it had an "io exception". */
    private static String cause(Status status) {
        Throwable deepest = status.getCause();
        while (deepest != null && deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        return deepest == null || deepest.getMessage() == null ? "" : ": " + deepest.getMessage();
    }

    private final class GrpcSessionCaller<Q, R> implements SessionCaller<Q, R> {
        private final HostPort peer;
        private final MethodDescriptor<Q, R> method;
        private final Set<ClientCall<Q, R>> open = new HashSet<>();

        GrpcSessionCaller(HostPort peer, MethodDescriptor<Q, R> method) {
            this.peer = peer;
            this.method = method;
        }

        @Override
        public Session<Q> open(Listener<R> listener) {
            loop.checkInLoop();
            ClientCall<Q, R> call = channel(peer).newCall(method, io.grpc.CallOptions.DEFAULT);
            open.add(call);
            call.start(
                    new ClientCall.Listener<R>() {
                        @Override
                        public void onMessage(R message) {
                            loop.execute(
                                    () -> {
                                        rpcs.count();
                                        call.request(1);
                                        if (open.contains(call)) {
                                            listener.received(message);
                                        }
                                    });
                        }

                        @Override
                        public void onClose(Status status, Metadata trailers) {
                            loop.execute(
                                    () -> {
                                        if (open.remove(call)) {
                                            listener.broken(broken(method, peer, status, trailers));
                                        }
                                    });
                        }
                    },
                    new Metadata());
            call.request(MESSAGES_AHEAD);
            return new Session<>() {
                @Override
                public void send(Q message) {
                    loop.checkInLoop();
                    if (open.contains(call)) {
                        rpcs.count();
                        call.sendMessage(message);
                    }
                }

                @Override
                public void close() {
                    if (open.remove(call)) {
                        call.cancel("closed by the caller", null);
                    }
                }
            };
        }

        @Override
        public void close() {
            java.util.List.copyOf(open).forEach(call -> call.cancel("closed by the caller", null));
            open.clear();
        }
    }
}
