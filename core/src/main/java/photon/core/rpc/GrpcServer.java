package photon.core.rpc;

import com.google.protobuf.MessageLite;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptors;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.Status;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import photon.core.error.ConfigException;
import photon.core.loop.EventLoop;

/**
 * Serves handlers over gRPC. Messages of a stream are taken from the network only as fast as the
 * loop handles them, so that a slow owner slows its peers instead of filling its queue, and no
 * faster than the peer reads its answers. Calls of one message are refused while too many wait.
 */
public final class GrpcServer implements AutoCloseable {
    private static final int MESSAGES_AHEAD = 16;

    private final Server server;
    private final HostPort address;
    private final @Nullable ProcessRpcs rpcs;
    private @Nullable Server here;

    private GrpcServer(Server server, HostPort address, @Nullable ProcessRpcs rpcs) {
        this.server = server;
        this.address = address;
        this.rpcs = rpcs;
    }

    public static Builder at(HostPort listen, EventLoop loop) {
        return new Builder(listen, loop);
    }

    /** Where it really listens. */
    public HostPort address() {
        return address;
    }

    /** Cuts every connection and frees the port. */
    @Override
    public void close() {
        if (rpcs != null) {
            rpcs.end(address);
        }
        if (here != null) {
            here.shutdownNow();
        }
        server.shutdownNow();
        try {
            server.awaitTermination(10, TimeUnit.SECONDS);
            if (here != null) {
                here.awaitTermination(10, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Collects the methods to serve. */
    public static final class Builder {
        private final HostPort listen;
        private final EventLoop loop;
        private final Map<String, List<ServerMethodDefinition<?, ?>>> services = new HashMap<>();
        private RpcLimits limits = RpcLimits.DEFAULTS;
        private @Nullable ProcessRpcs rpcs;
        private RpcSecurity security = RpcSecurity.PLAINTEXT;
        private CallerCheck callers;

        private Builder(HostPort listen, EventLoop loop) {
            this.listen = listen;
            this.loop = loop;
            this.callers = new CallerCheck(security, loop::nanoTime);
        }

        /** Other than {@link RpcLimits#DEFAULTS}. */
        public Builder limits(RpcLimits limits) {
            this.limits = limits;
            return this;
        }

        /** Serves callers of the same process without a network, too, and others as it does. */
        public Builder within(ProcessRpcs process) {
            this.rpcs = process;
            return secured(process.security());
        }

        /** Serves others as the process does. */
        public Builder secured(RpcSecurity how) {
            this.security = how;
            this.callers = new CallerCheck(how, loop::nanoTime);
            return this;
        }

        /** A request a call. */
        public <Q, R> Builder unary(MethodDescriptor<Q, R> method, Handler<Q, R> handler) {
            return add(method, answering(handler), true);
        }

        /** Many requests a stream; the answers carry their numbers. */
        public <Q, R> Builder stream(MethodDescriptor<Q, R> method, Handler<Q, R> handler) {
            return add(method, answering(handler), false);
        }

        private static <Q, R> SessionHandler<Q, R> answering(Handler<Q, R> handler) {
            return out ->
                    new SessionHandler.Session<Q>() {
                        @Override
                        public void received(Q message) {
                            handler.handle(message, out);
                        }

                        @Override
                        public void closed() {}
                    };
        }

        public <Q, R> Builder session(MethodDescriptor<Q, R> method, SessionHandler<Q, R> handler) {
            return add(method, handler, false);
        }

        private <Q, R> Builder add(
                MethodDescriptor<Q, R> method, SessionHandler<Q, R> handler, boolean oneAnswer) {
            ServerCallHandler<Q, R> calls = (call, headers) -> accept(call, handler, oneAnswer);
            services.computeIfAbsent(
                            java.util.Objects.requireNonNull(method.getServiceName()),
                            name -> new ArrayList<>())
                    .add(ServerMethodDefinition.create(method, calls));
            return this;
        }

        private <Q, R> ServerCall.Listener<Q> accept(
                ServerCall<Q, R> call, SessionHandler<Q, R> handler, boolean oneAnswer) {
            return new Admission(callers).admits(call)
                    ? new CallListener<>(
                            loop, call, handler, oneAnswer, Connections.of(call), callers)
                    : new ServerCall.Listener<>() {};
        }

        /**
         * @throws ConfigException if the address cannot be bound
         * @throws photon.core.error.FailedException if its name has no address now, or this machine
         *     not this address
         */
        public GrpcServer start() {
            InetSocketAddress address = listen.resolved("calls");
            NettyServerBuilder builder =
                    NettyServerBuilder.forAddress(address)
                            .directExecutor()
                            .permitKeepAliveTime(
                                    GrpcChannels.SILENT.toSeconds() / 2, TimeUnit.SECONDS)
                            .maxInboundMessageSize(limits.messageBytes())
                            // A peer of another make that does not count its calls is cut here;
                            // below it they are refused one by one, and told why.
                            .maxConcurrentCallsPerConnection(2 * limits.callsPerConnection())
                            .addTransportFilter(new Connections(limits, security));
            security.secure(builder);
            definitions().forEach(builder::addService);
            servedEverywhere().forEach(builder::addService);
            builder.fallbackHandlerRegistry(Admission.unknownMethods());
            try {
                Server server = builder.build().start();
                HostPort bound = new HostPort(listen.host(), server.getPort());
                GrpcServer made = new GrpcServer(server, bound, rpcs);
                if (rpcs != null) {
                    made.here = startHere(rpcs, bound);
                }
                return made;
            } catch (IOException e) {
                throw listen.cannotListen(
                        "calls",
                        e.getCause() == null ? e : e.getCause(),
                        "a free port of this machine");
            }
        }

        /** What a caller may make a server hold has the same bounds as over a network. */
        private Server startHere(ProcessRpcs process, HostPort bound) throws IOException {
            InProcessServerBuilder builder =
                    InProcessServerBuilder.forName(process.name(bound))
                            .directExecutor()
                            .addTransportFilter(new Connections(limits, security));
            definitions().forEach(builder::addService);
            builder.fallbackHandlerRegistry(Admission.unknownMethods());
            Server server = builder.build().start();
            process.begin(bound);
            return server;
        }

        private List<ServerServiceDefinition> definitions() {
            List<ServerServiceDefinition> definitions = new ArrayList<>();
            services.forEach(
                    (name, methods) -> {
                        ServerServiceDefinition.Builder service =
                                ServerServiceDefinition.builder(descriptor(name, methods));
                        methods.forEach(service::addMethod);
                        definitions.add(service.build());
                    });
            return definitions;
        }

        /** With the file of the wire contract, which reflection shows. */
        private static ServiceDescriptor descriptor(
                String name, List<ServerMethodDefinition<?, ?>> methods) {
            ServiceDescriptor.Builder descriptor = ServiceDescriptor.newBuilder(name);
            for (ServerMethodDefinition<?, ?> method : methods) {
                descriptor.addMethod(method.getMethodDescriptor());
                descriptor.setSchemaDescriptor(method.getMethodDescriptor().getSchemaDescriptor());
            }
            return descriptor.build();
        }

        /** Under the same bounds and permissions. */
        private List<ServerServiceDefinition> servedEverywhere() {
            return rpcs == null
                    ? List.of()
                    : rpcs.servedEverywhere().stream()
                            .map(
                                    service ->
                                            ServerInterceptors.intercept(
                                                    service, new Admission(callers)))
                            .toList();
        }
    }

    /** gRPC calls a listener's methods one after another; all it does is hand them to the loop. */
    private static final class CallListener<Q, R> extends ServerCall.Listener<Q> {
        private final EventLoop loop;
        private final ServerCall<Q, R> call;
        private final boolean oneAnswer;
        private final SessionHandler<Q, R> handler;
        private final ConnectionLoad connection;
        private final CallerCheck callers;
        private final StreamIntake intake;
        private SessionHandler.@Nullable Session<Q> session;
        private boolean ended;

        /** Messages handled and not asked for anew, since the peer does not read its answers. */
        private int owed;

        CallListener(
                EventLoop loop,
                ServerCall<Q, R> call,
                SessionHandler<Q, R> handler,
                boolean oneAnswer,
                ConnectionLoad connection,
                CallerCheck callers) {
            this.loop = loop;
            this.call = call;
            this.handler = handler;
            this.oneAnswer = oneAnswer;
            this.connection = connection;
            this.callers = callers;
            this.intake = new StreamIntake(MESSAGES_AHEAD, connection);
            if (oneAnswer) {
                call.request(2);
                return;
            }
            loop.execute(() -> session = handler.opened(out()));
            if (intake.opened()) {
                call.request(1);
            }
        }

        private Consumer<R> out() {
            return new Consumer<>() {
                private boolean headersSent;

                @Override
                public void accept(R message) {
                    loop.checkInLoop();
                    if (ended) {
                        return;
                    }
                    if (!headersSent) {
                        call.sendHeaders(new Metadata());
                        headersSent = true;
                    }
                    call.sendMessage(message);
                    if (oneAnswer) {
                        ended = true;
                        call.close(Status.OK, new Metadata());
                    }
                }
            };
        }

        @Override
        public void onMessage(Q message) {
            long bytes = message instanceof MessageLite known ? known.getSerializedSize() : 0;
            if (!oneAnswer) {
                connection.arrived(bytes);
                if (intake.arrived()) {
                    call.request(1);
                }
                loop.execute(() -> handled(bytes, () -> receivedInStream(message)));
                return;
            }
            String refusal = callers.refusalOf(call, message);
            if (!refusal.isEmpty()) {
                RpcError.NOT_PERMITTED.end(call, refusal);
                return;
            }
            // Where it is refused, the loop has never heard of this call and never will.
            if (connection.isFull()) {
                RpcError.TOO_MANY_BYTES_WAITING.end(
                        call, "too many bytes are waiting on the connection");
                return;
            }
            connection.arrived(bytes);
            if (!loop.offer(() -> handled(bytes, () -> receivedAlone(message)))) {
                connection.handled(bytes);
                RpcError.TOO_MANY_CALLS_WAITING.end(call, "too many calls are waiting");
            }
        }

        private void handled(long bytes, Runnable handle) {
            try {
                handle.run();
            } finally {
                connection.handled(bytes);
            }
        }

        private void receivedAlone(Q message) {
            if (!ended) {
                session = handler.opened(out());
                receive(session, message);
            }
        }

        private void receivedInStream(Q message) {
            if (!ended && session != null) {
                receive(session, message);
                owed++;
                takeMore();
            }
        }

        /** A peer's malformed message ends its call, and nothing of ours. */
        private void receive(SessionHandler.Session<Q> to, Q message) {
            try {
                to.received(message);
            } catch (MalformedRequestException e) {
                end();
                RpcError.MALFORMED_REQUEST.end(call, String.valueOf(e.getMessage()));
            }
        }

        /** As fast as the loop handles them, and as the peer reads what it is answered. */
        private void takeMore() {
            if (!ended && owed > 0 && call.isReady()) {
                int handled = owed;
                owed = 0;
                if (intake.handled(handled)) {
                    call.request(1);
                }
            }
        }

        @Override
        public void onReady() {
            if (!oneAnswer) {
                loop.execute(this::takeMore);
            }
        }

        @Override
        public void onHalfClose() {
            if (!oneAnswer) {
                loop.execute(
                        () -> {
                            if (!ended) {
                                end();
                                call.close(Status.OK, new Metadata());
                            }
                        });
            }
        }

        @Override
        public void onCancel() {
            connection.ended();
            loop.execute(this::end);
        }

        @Override
        public void onComplete() {
            connection.ended();
        }

        private void end() {
            if (!ended) {
                ended = true;
                if (session != null) {
                    session.closed();
                }
            }
        }
    }
}
