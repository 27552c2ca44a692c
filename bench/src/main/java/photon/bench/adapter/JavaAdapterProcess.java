package photon.bench.adapter;

import com.google.protobuf.ByteString;
import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.unix.DomainSocketAddress;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import photon.proto.adapter.v1.AdapterGrpc;
import photon.proto.adapter.v1.Answer;
import photon.proto.adapter.v1.Answers;
import photon.proto.adapter.v1.Effect;
import photon.proto.adapter.v1.Emit;
import photon.proto.adapter.v1.FromAdapter;
import photon.proto.adapter.v1.JoinedEvent;
import photon.proto.adapter.v1.Pair;
import photon.proto.adapter.v1.ToAdapter;
import photon.proto.adapter.v1.Welcome;

/** An adapter in a process of its own that writes both records side by side. */
public final class JavaAdapterProcess {
    private static final ByteString BEGIN = ByteString.copyFromUtf8("{\"foreign\":");
    private static final ByteString MIDDLE = ByteString.copyFromUtf8(",\"primary\":");
    private static final ByteString END = ByteString.copyFromUtf8("}");

    private JavaAdapterProcess() {}

    static List<String> command() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                JavaAdapterProcess.class.getName());
    }

    /** Serves until its standard input ends. */
    public static void main(String[] args) throws IOException {
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
                                        Objects.requireNonNull(
                                                System.getenv("PHOTON_ADAPTER_SOCKET"))))
                        .channelType(EpollServerDomainSocketChannel.class)
                        .bossEventLoopGroup(
                                new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory()))
                        .workerEventLoopGroup(
                                new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory()))
                        .directExecutor()
                        .addService(service)
                        .build()
                        .start();
        while (System.in.read() >= 0) {
            // Nothing is sent.
        }
        server.shutdownNow();
        Runtime.getRuntime().halt(0);
    }

    private record Session(StreamObserver<FromAdapter> out) implements StreamObserver<ToAdapter> {
        @Override
        public void onNext(ToAdapter message) {
            if (message.hasHello()) {
                Welcome.Builder welcome =
                        Welcome.newBuilder()
                                .setProtocol(1)
                                .setName("both")
                                .setEffect(Effect.EFFECT_SAFE);
                out.onNext(FromAdapter.newBuilder().setWelcome(welcome).build());
                return;
            }
            Answers.Builder answers = Answers.newBuilder();
            for (Pair pair : message.getBatch().getPairsList()) {
                ByteString joined =
                        BEGIN.concat(pair.getForeign().getJson())
                                .concat(MIDDLE)
                                .concat(pair.getPrimary().getJson())
                                .concat(END);
                answers.addAnswers(
                        Answer.newBuilder()
                                .setId(pair.getId())
                                .setEmit(
                                        Emit.newBuilder()
                                                .addEvents(
                                                        JoinedEvent.newBuilder().setJson(joined))));
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
}
