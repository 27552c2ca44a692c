package photon.server.adaptertest;

import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import photon.proto.adapter.v1.AdapterGrpc;
import photon.proto.adapter.v1.Answer;
import photon.proto.adapter.v1.Answers;
import photon.proto.adapter.v1.Effect;
import photon.proto.adapter.v1.Emit;
import photon.proto.adapter.v1.FromAdapter;
import photon.proto.adapter.v1.Hello;
import photon.proto.adapter.v1.JoinedEvent;
import photon.proto.adapter.v1.Pair;
import photon.proto.adapter.v1.Refusal;
import photon.proto.adapter.v1.ToAdapter;
import photon.proto.adapter.v1.Welcome;

/** A right adapter in a server of its own, which emits the foreign event; tests make it wrong. */
class EchoAdapter implements AutoCloseable {
    static final int MESSAGE_BYTES_MAX = 32 << 20;

    private final Server server;

    EchoAdapter(int messageBytesMax) throws IOException {
        BindableService service =
                new AdapterGrpc.AdapterImplBase() {
                    @Override
                    public StreamObserver<ToAdapter> join(StreamObserver<FromAdapter> out) {
                        return new Session(out);
                    }
                };
        server =
                NettyServerBuilder.forAddress(
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                        .maxInboundMessageSize(messageBytesMax)
                        .addService(service)
                        .build()
                        .start();
    }

    private final class Session implements StreamObserver<ToAdapter> {
        private final StreamObserver<FromAdapter> out;

        Session(StreamObserver<FromAdapter> out) {
            this.out = out;
        }

        @Override
        public void onNext(ToAdapter message) {
            if (message.hasHello()) {
                out.onNext(greeting(message.getHello()));
                return;
            }
            Answers.Builder answers = Answers.newBuilder();
            for (Pair pair : message.getBatch().getPairsList()) {
                answers.addAnswers(answer(pair).setId(pair.getId()));
            }
            out.onNext(FromAdapter.newBuilder().setAnswers(answers).build());
        }

        @Override
        public void onError(Throwable failure) {}

        @Override
        public void onCompleted() {
            out.onCompleted();
        }
    }

    FromAdapter greeting(Hello hello) {
        if (hello.getProtocolMin() > 1) {
            return FromAdapter.newBuilder()
                    .setRefusal(Refusal.newBuilder().addProblems("it speaks version 1 only"))
                    .build();
        }
        return welcome(1);
    }

    static FromAdapter welcome(int protocol) {
        return FromAdapter.newBuilder()
                .setWelcome(
                        Welcome.newBuilder()
                                .setProtocol(protocol)
                                .setName("echo")
                                .setVersion("2.0")
                                .setEffect(Effect.EFFECT_IDEMPOTENT))
                .build();
    }

    Answer.Builder answer(Pair pair) {
        return Answer.newBuilder()
                .setEmit(
                        Emit.newBuilder()
                                .addEvents(
                                        JoinedEvent.newBuilder()
                                                .setJson(pair.getForeign().getJson())));
    }

    String address() {
        return "127.0.0.1:" + server.getPort();
    }

    @Override
    public void close() {
        server.shutdownNow();
    }
}
