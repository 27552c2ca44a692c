package photon.joiner.adapters.remote;

import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import photon.core.rpc.HostPort;
import photon.core.rpc.LoopbackPorts;
import photon.proto.adapter.v1.AdapterGrpc;
import photon.proto.adapter.v1.Answer;
import photon.proto.adapter.v1.Answers;
import photon.proto.adapter.v1.Batch;
import photon.proto.adapter.v1.Effect;
import photon.proto.adapter.v1.FromAdapter;
import photon.proto.adapter.v1.Hello;
import photon.proto.adapter.v1.Pair;
import photon.proto.adapter.v1.ToAdapter;
import photon.proto.adapter.v1.Welcome;

/** An adapter in a server of its own, which does what a test says. */
class FakeAdapter implements AutoCloseable {
    final AtomicInteger sessions = new AtomicInteger();
    private final Server server;
    private final int boundPort;

    /**
     * @param port 0: any free one
     */
    FakeAdapter(int port) throws IOException {
        this(port, server -> server);
    }

    /**
     * @param secured gives the server what it shows to its clients
     */
    FakeAdapter(int port, UnaryOperator<NettyServerBuilder> secured) throws IOException {
        BindableService service =
                new AdapterGrpc.AdapterImplBase() {
                    @Override
                    public StreamObserver<ToAdapter> join(StreamObserver<FromAdapter> out) {
                        return new Session(sessions.incrementAndGet(), out);
                    }
                };
        server =
                secured.apply(
                                NettyServerBuilder.forAddress(
                                        new InetSocketAddress(
                                                InetAddress.getLoopbackAddress(), port)))
                        .addService(service)
                        .build()
                        .start();
        boundPort = server.getPort();
    }

    /** One whose port nobody else gets while it is away. */
    static int lastingPort() throws IOException {
        return LoopbackPorts.choose(1, new Random()).get(0);
    }

    private final class Session implements StreamObserver<ToAdapter> {
        private final int number;
        private final StreamObserver<FromAdapter> out;

        Session(int number, StreamObserver<FromAdapter> out) {
            this.number = number;
            this.out = out;
        }

        @Override
        public void onNext(ToAdapter message) {
            if (message.hasHello()) {
                FromAdapter answer = greeting(message.getHello());
                if (!answer.equals(FromAdapter.getDefaultInstance())) {
                    out.onNext(answer);
                }
            } else {
                answer(number, message.getBatch(), out);
            }
        }

        @Override
        public void onError(Throwable failure) {}

        @Override
        public void onCompleted() {
            out.onCompleted();
        }
    }

    /** What it says to a Hello; the default: nothing. */
    FromAdapter greeting(Hello hello) {
        return welcome(1, Effect.EFFECT_SAFE);
    }

    static FromAdapter welcome(int protocol, Effect effect) {
        return FromAdapter.newBuilder()
                .setWelcome(
                        Welcome.newBuilder()
                                .setProtocol(protocol)
                                .setName("fake")
                                .setVersion("7")
                                .setEffect(effect))
                .build();
    }

    /** Skips each pair with the foreign event's id as the reason. */
    void answer(int session, Batch batch, StreamObserver<FromAdapter> out) {
        Answers.Builder answers = Answers.newBuilder();
        batch.getPairsList().forEach(pair -> answers.addAnswers(skip(pair)));
        send(out, answers);
    }

    static Answer.Builder skip(Pair pair) {
        return Answer.newBuilder().setId(pair.getId()).setSkip(pair.getForeign().getId());
    }

    static void send(StreamObserver<FromAdapter> out, Answers.Builder answers) {
        out.onNext(FromAdapter.newBuilder().setAnswers(answers).build());
    }

    HostPort address() {
        return new HostPort("127.0.0.1", boundPort);
    }

    @Override
    public void close() {
        server.shutdownNow();
        try {
            server.awaitTermination(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
