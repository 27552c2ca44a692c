package photon.core.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import photon.core.loop.ThreadLoop;
import photon.proto.v1.JoinRequest;
import photon.proto.v1.JoinResponse;
import photon.proto.v1.JoinerGrpc;

/** A host that is gone, or a process that is frozen, sends no end of the connection. */
@Tag("crash") // It takes as long as gRPC takes to ask a silent peer.
class SilentPeerTest {
    private static final int BROKEN_WITHIN_SECONDS = 60;

    @Test
    void aSessionToAPeerThatHasFallenSilentBreaks() throws Exception {
        List<Throwable> bugs = new ArrayList<>();
        CompletableFuture<JoinResponse> answered = new CompletableFuture<>();
        CompletableFuture<String> broken = new CompletableFuture<>();
        ThreadLoop loop = new ThreadLoop("silent", 100, (where, bug) -> bugs.add(bug));
        try (GrpcServer server = joiner(loop);
                Wire wire = new Wire(server.address().port());
                GrpcChannels channels = new GrpcChannels(loop, new ProcessRpcs())) {
            CompletableFuture<SessionCaller.Session<JoinRequest>> opened =
                    new CompletableFuture<>();
            loop.execute(
                    () -> {
                        SessionCaller.Session<JoinRequest> session =
                                channels.session(wire.address(), JoinerGrpc.getJoinMethod())
                                        .open(listener(answered, broken));
                        session.send(JoinRequest.getDefaultInstance());
                        opened.complete(session);
                    });
            assertThat(answered.get(20, TimeUnit.SECONDS)).isNotNull();
            wire.cut = true;
            loop.execute(() -> opened.join().send(JoinRequest.getDefaultInstance()));
            assertThat(broken.get(BROKEN_WITHIN_SECONDS, TimeUnit.SECONDS)).contains("UNAVAILABLE");
        } finally {
            loop.close();
        }
        assertThat(bugs).isEmpty();
    }

    private static GrpcServer joiner(ThreadLoop loop) {
        return GrpcServer.at(new HostPort("127.0.0.1", 0), loop)
                .<JoinRequest, JoinResponse>session(
                        JoinerGrpc.getJoinMethod(),
                        out ->
                                new SessionHandler.Session<>() {
                                    @Override
                                    public void received(JoinRequest message) {
                                        out.accept(JoinResponse.getDefaultInstance());
                                    }

                                    @Override
                                    public void closed() {}
                                })
                .start();
    }

    private static SessionCaller.Listener<JoinResponse> listener(
            CompletableFuture<JoinResponse> answered, CompletableFuture<String> broken) {
        return new SessionCaller.Listener<>() {
            @Override
            public void received(JoinResponse message) {
                answered.complete(message);
            }

            @Override
            public void broken(String why) {
                broken.complete(why);
            }
        };
    }

    /** One connection to a server's port; once cut, what either side says vanishes. */
    private static final class Wire implements AutoCloseable {
        private final ServerSocket acceptor;
        private final List<Socket> sockets = new ArrayList<>();
        volatile boolean cut;

        Wire(int port) throws IOException {
            acceptor = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
            start(
                    () -> {
                        Socket client = acceptor.accept();
                        Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
                        synchronized (sockets) {
                            sockets.add(client);
                            sockets.add(server);
                        }
                        start(() -> carry(client, server));
                        start(() -> carry(server, client));
                    });
        }

        HostPort address() {
            return new HostPort("127.0.0.1", acceptor.getLocalPort());
        }

        private interface Work {
            void run() throws IOException;
        }

        private static void start(Work work) {
            Thread thread =
                    new Thread(
                            () -> {
                                try {
                                    work.run();
                                } catch (IOException e) {
                                    // The wire was closed, or one end was.
                                }
                            });
            thread.setDaemon(true);
            thread.start();
        }

        private void carry(Socket from, Socket to) throws IOException {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] bytes = new byte[8 << 10];
            for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                if (!cut) {
                    out.write(bytes, 0, read);
                }
            }
        }

        @Override
        public void close() throws IOException {
            acceptor.close();
            synchronized (sockets) {
                for (Socket socket : sockets) {
                    socket.close();
                }
            }
        }
    }
}
