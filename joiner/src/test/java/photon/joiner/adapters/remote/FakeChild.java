package photon.joiner.adapters.remote;

import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.unix.DomainSocketAddress;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.Objects;
import photon.proto.adapter.v1.AdapterGrpc;
import photon.proto.adapter.v1.Answers;
import photon.proto.adapter.v1.Effect;
import photon.proto.adapter.v1.FromAdapter;
import photon.proto.adapter.v1.Pair;
import photon.proto.adapter.v1.ToAdapter;

/**
 * A process that Photon starts. It skips each pair with its own process id as the reason, dies at
 * the id {@code die}, and ends with its standard input unless its argument is {@code stubborn}.
 */
final class FakeChild {
    private FakeChild() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        System.err.println("started");
        BindableService service =
                new AdapterGrpc.AdapterImplBase() {
                    @Override
                    public StreamObserver<ToAdapter> join(StreamObserver<FromAdapter> out) {
                        return new Session(out);
                    }
                };
        Server server =
                NettyServerBuilder.forAddress(
                                new DomainSocketAddress(
                                        Objects.requireNonNull(System.getenv(ChildProcess.SOCKET))))
                        .channelType(EpollServerDomainSocketChannel.class)
                        .bossEventLoopGroup(
                                new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory()))
                        .workerEventLoopGroup(
                                new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory()))
                        .addService(service)
                        .build()
                        .start();
        if (args.length > 0) {
            server.awaitTermination();
        }
        while (System.in.read() >= 0) {
            // Nothing is sent.
        }
        Runtime.getRuntime().halt(0);
    }

    private record Session(StreamObserver<FromAdapter> out) implements StreamObserver<ToAdapter> {
        @Override
        public void onNext(ToAdapter message) {
            if (message.hasHello()) {
                out.onNext(FakeAdapter.welcome(1, Effect.EFFECT_SAFE));
                return;
            }
            Answers.Builder answers = Answers.newBuilder();
            for (Pair pair : message.getBatch().getPairsList()) {
                if (pair.getForeign().getId().equals("die")) {
                    System.err.println("last words");
                    Runtime.getRuntime().halt(3);
                }
                answers.addAnswers(
                        FakeAdapter.skip(pair).setSkip("" + ProcessHandle.current().pid()));
            }
            FakeAdapter.send(out, answers);
        }

        @Override
        public void onError(Throwable failure) {}

        @Override
        public void onCompleted() {
            out.onCompleted();
        }
    }
}
