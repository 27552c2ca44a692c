package photon.registry.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import photon.core.error.BugHandler;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Packed;
import photon.core.loop.ThreadLoop;
import photon.core.rpc.GrpcServer;
import photon.core.rpc.HostPort;
import photon.core.rpc.LoopbackPorts;
import photon.core.rpc.SessionHandler;
import photon.proto.v1.CommitRequest;
import photon.proto.v1.CommitResponse;
import photon.proto.v1.ControlGrpc;
import photon.proto.v1.DescribePipelineRequest;
import photon.proto.v1.DescribePipelineResponse;
import photon.proto.v1.Outcome;
import photon.proto.v1.Pipeline;
import photon.proto.v1.Progress;
import photon.proto.v1.RegistryGrpc;
import photon.registry.api.CommitOutcome;
import photon.registry.api.IdRegistry;
import photon.registry.api.IdRegistry.WhenFull;
import photon.registry.api.RegistryClient.CommitResult;
import photon.registry.api.RegistryProtos;
import photon.registry.api.ShardMap;

/** What really reaches a server over gRPC: nothing beneath the client sends a request twice. */
@Timeout(300)
final class CommitsOnTheWireTest {
    private static final HostPort LOOPBACK = new HostPort("127.0.0.1", 0);
    private static final Duration LONG = Duration.ofSeconds(50);

    private final Queue<String> bugs = new ConcurrentLinkedQueue<>();
    private final BugHandler noBugs = (where, bug) -> bugs.add(where + ": " + bug);
    private final ThreadLoop loop = new ThreadLoop("server", 100, noBugs);
    private final List<Counting> servers = new ArrayList<>();

    /** A server that keeps what came, stream by stream, and answers as it is told. */
    private final class Counting {
        final Queue<List<CommitRequest>> streams = new ConcurrentLinkedQueue<>();
        final CountDownLatch first = new CountDownLatch(1);
        final GrpcServer grpc;

        /** Each request takes one; when there are none it is accepted. */
        final Queue<Progress> instead = new ConcurrentLinkedQueue<>();

        Counting(HostPort listen, Progress... answers) {
            instead.addAll(List.of(answers));
            grpc =
                    GrpcServer.at(listen, loop)
                            .unary(
                                    ControlGrpc.getDescribePipelineMethod(),
                                    CommitsOnTheWireTest::describe)
                            .session(RegistryGrpc.getCommitMethod(), this::opened)
                            .start();
            servers.add(this);
        }

        private SessionHandler.Session<CommitRequest> opened(Consumer<CommitResponse> out) {
            List<CommitRequest> stream = new ArrayList<>();
            streams.add(stream);
            return new SessionHandler.Session<>() {
                @Override
                public void received(CommitRequest request) {
                    stream.add(request);
                    Progress progress = instead.poll();
                    if (progress == null) {
                        out.accept(accepted(request));
                    } else if (progress != Progress.PROGRESS_UNSPECIFIED) {
                        out.accept(
                                CommitResponse.newBuilder()
                                        .setRequest(request.getRequest())
                                        .setProgress(progress)
                                        .build());
                    }
                    first.countDown();
                }

                @Override
                public void closed() {}
            };
        }

        /** All requests, each of which came once. */
        List<CommitRequest> received() {
            List<CommitRequest> all = new ArrayList<>();
            for (List<CommitRequest> stream : streams) {
                assertThat(stream).extracting(CommitRequest::getRequest).doesNotHaveDuplicates();
                all.addAll(stream);
            }
            return all;
        }
    }

    @AfterEach
    void close() {
        servers.forEach(server -> server.grpc.close());
        loop.close();
        assertThat(bugs).isEmpty();
    }

    private static CommitResponse accepted(CommitRequest request) {
        byte[] outcomes = new byte[request.getIds().size() / EventId.BYTES];
        java.util.Arrays.fill(outcomes, (byte) Outcome.ACCEPTED_VALUE);
        return CommitResponse.newBuilder()
                .setRequest(request.getRequest())
                .setProgress(Progress.DECIDED)
                .setOutcomes(ByteString.copyFrom(outcomes))
                .build();
    }

    private static void describe(
            DescribePipelineRequest request, Consumer<DescribePipelineResponse> respond) {
        respond.accept(
                DescribePipelineResponse.newBuilder()
                        .setPipeline(
                                Pipeline.newBuilder()
                                        .setName(request.getName())
                                        .setUuid(RegistryProtos.bytes(new UUID(1, 2)))
                                        .setMap(ShardMap.initial(1).toProto()))
                        .build());
    }

    private static EventId id(long number) {
        return new EventId(number, 0, 0, 1);
    }

    private static CommitToken token(long number) {
        return new CommitToken(1, 1, number);
    }

    @Test
    void eachAttemptIsOneMessageAndEachHasTheSameToken() throws Exception {
        // No connection of another process gets it while it is free.
        HostPort address = new HostPort("127.0.0.1", LoopbackPorts.choose(1, new Random()).get(0));
        Counting silent = new Counting(address, Progress.PROGRESS_UNSPECIFIED);
        try (GrpcIdRegistry connection =
                GrpcIdRegistry.connect(
                        List.of(address), "ads", IdRegistry.Options.DEFAULTS, noBugs)) {
            IdRegistry registry = connection.registry().get(30, TimeUnit.SECONDS);
            CompletableFuture<CommitOutcome> outcome = registry.commit(id(7), token(7), LONG);
            assertThat(silent.first.await(30, TimeUnit.SECONDS)).isTrue();
            // The connection is cut with the request on its way: what gRPC would retry, if it did.
            silent.grpc.close();
            Counting second = new Counting(address, Progress.UNKNOWN, Progress.NOT_LEADER);
            assertThat(outcome.get(60, TimeUnit.SECONDS))
                    .isEqualTo(new CommitOutcome.Decided(CommitResult.ACCEPTED, null, true));
            assertThat(silent.received()).hasSize(1);
            assertThat(second.received()).hasSize(3);
            for (Counting server : servers) {
                for (CommitRequest request : server.received()) {
                    assertThat(Packed.ids(request.getIds())).containsExactly(id(7));
                    assertThat(Packed.tokens(request.getTokens())).containsExactly(token(7));
                }
            }
        }
    }

    @Test
    void manyThreadsWaitForRoomAndEachCommitIsSentOnce() throws Exception {
        int threads = 8;
        int each = 300;
        Counting server = new Counting(LOOPBACK);
        Queue<CommitOutcome> outcomes = new ConcurrentLinkedQueue<>();
        try (GrpcIdRegistry connection =
                GrpcIdRegistry.connect(
                        List.of(server.grpc.address()),
                        "ads",
                        IdRegistry.Options.DEFAULTS.with(16, WhenFull.WAIT),
                        noBugs)) {
            IdRegistry registry = connection.registry().get(30, TimeUnit.SECONDS);
            List<Thread> running = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                int first = t * each;
                Thread thread =
                        new Thread(
                                () -> {
                                    for (int n = first; n < first + each; n++) {
                                        assertThat(registry.outstandingIds()).isBetween(0L, 16L);
                                        registry.commit(id(n), token(n), LONG)
                                                .thenAccept(outcomes::add);
                                    }
                                });
                thread.start();
                running.add(thread);
            }
            for (Thread thread : running) {
                thread.join();
            }
            // Closing drains: all that was taken in is answered.
        }
        assertThat(outcomes).hasSize(threads * each).allMatch(CommitOutcome::isAccepted);
        List<EventId> sent = new ArrayList<>();
        server.received().forEach(request -> sent.addAll(Packed.ids(request.getIds())));
        assertThat(sent).hasSize(threads * each).doesNotHaveDuplicates();
    }

    /** Whatever is put in while it closes: each is answered, and what was sent is not denied. */
    @Test
    void everyCallOfManyThreadsIsAnsweredWhenTheClientCloses() throws Exception {
        for (int round = 0; round < 20; round++) {
            Counting server = new Counting(LOOPBACK);
            Queue<CompletableFuture<CommitOutcome>> calls = new ConcurrentLinkedQueue<>();
            List<Thread> running = new ArrayList<>();
            try (GrpcIdRegistry connection =
                    GrpcIdRegistry.connect(
                            List.of(server.grpc.address()),
                            "ads",
                            IdRegistry.Options.DEFAULTS.with(16, WhenFull.WAIT),
                            noBugs)) {
                IdRegistry registry = connection.registry().get(30, TimeUnit.SECONDS);
                CountDownLatch some = new CountDownLatch(100);
                for (int t = 0; t < 4; t++) {
                    int first = t * 1_000_000;
                    Thread thread =
                            new Thread(
                                    () -> {
                                        CompletableFuture<CommitOutcome> call;
                                        int n = first;
                                        do {
                                            call = registry.commit(id(n), token(n), LONG);
                                            calls.add(call);
                                            some.countDown();
                                            n++;
                                        } while (!isClosed(call));
                                    });
                    thread.start();
                    running.add(thread);
                }
                assertThat(some.await(30, TimeUnit.SECONDS)).isTrue();
                registry.close(Duration.ofMillis(round));
            }
            for (Thread thread : running) {
                thread.join(30_000);
                assertThat(thread.isAlive()).isFalse();
            }
            server.grpc.close();
            CountDownLatch idle = new CountDownLatch(1);
            loop.execute(idle::countDown);
            assertThat(idle.await(30, TimeUnit.SECONDS)).isTrue();
            List<EventId> sent = new ArrayList<>();
            server.received().forEach(request -> sent.addAll(Packed.ids(request.getIds())));
            long submitted = 0;
            for (CompletableFuture<CommitOutcome> call : calls) {
                CommitOutcome outcome = call.get(30, TimeUnit.SECONDS);
                submitted += outcome instanceof CommitOutcome.NotSubmitted ? 0 : 1;
            }
            assertThat(sent).doesNotHaveDuplicates().hasSizeLessThanOrEqualTo((int) submitted);
        }
    }

    private static boolean isClosed(CompletableFuture<CommitOutcome> call) {
        return call.isDone()
                && call.join()
                        .equals(
                                new CommitOutcome.NotSubmitted(
                                        CommitOutcome.NotSubmitted.Why.CLOSED));
    }

    @Test
    void whoWaitsForRoomGivesUpByItsDeadline() throws Exception {
        Counting server = new Counting(LOOPBACK, Progress.PROGRESS_UNSPECIFIED);
        try (GrpcIdRegistry connection =
                GrpcIdRegistry.connect(
                        List.of(server.grpc.address()),
                        "ads",
                        IdRegistry.Options.DEFAULTS.with(1, WhenFull.WAIT),
                        noBugs)) {
            IdRegistry registry = connection.registry().get(30, TimeUnit.SECONDS);
            CompletableFuture<CommitOutcome> held = registry.commit(id(1), token(1), LONG);
            assertThat(server.first.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(registry.commit(id(2), token(2), Duration.ofMillis(50)))
                    .isCompletedWithValue(
                            new CommitOutcome.NotSubmitted(
                                    CommitOutcome.NotSubmitted.Why.DEADLINE));
            registry.close(Duration.ofMillis(50));
            assertThat(held.get(30, TimeUnit.SECONDS)).isEqualTo(new CommitOutcome.Unknown());
        }
        assertThat(server.received()).hasSize(1);
    }
}
