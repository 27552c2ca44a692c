package photon.core.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import photon.core.error.ConfigException;
import photon.core.error.FailedException;
import photon.core.loop.ThreadLoop;
import photon.proto.v1.AddRepairRowsRequest;
import photon.proto.v1.AddRepairRowsResponse;
import photon.proto.v1.DispatcherGrpc;
import photon.proto.v1.Event;
import photon.proto.v1.EventStoreGrpc;
import photon.proto.v1.PrimaryLookupRequest;
import photon.proto.v1.PrimaryLookupResponse;

class GrpcTest {
    static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final int OFFERS_MAX = 100;

    private final List<Throwable> bugs = new ArrayList<>();
    private final ThreadLoop serverLoop =
            new ThreadLoop("server", OFFERS_MAX, (where, bug) -> bugs.add(bug));
    final ThreadLoop clientLoop = new ThreadLoop("client", 100, (where, bug) -> bugs.add(bug));
    private final ProcessRpcs counter = new ProcessRpcs();
    private final GrpcChannels channels = new GrpcChannels(clientLoop, counter);
    private final List<Consumer<PrimaryLookupResponse>> waiting = new ArrayList<>();
    private final List<PrimaryLookupRequest> received = new ArrayList<>();

    private final GrpcServer server =
            at(new HostPort("127.0.0.1", 0))
                    .<AddRepairRowsRequest, AddRepairRowsResponse>unary(
                            DispatcherGrpc.getAddRepairRowsMethod(),
                            (request, respond) ->
                                    respond.accept(AddRepairRowsResponse.getDefaultInstance()))
                    .<PrimaryLookupRequest, PrimaryLookupResponse>stream(
                            EventStoreGrpc.getLookupMethod(), this::hold)
                    .start();

    /** Its calls come over the network; see {@link SameProcessTest}. */
    GrpcServer.Builder at(HostPort address) {
        return GrpcServer.at(address, serverLoop);
    }

    ProcessRpcs rpcs() {
        return counter;
    }

    private void hold(PrimaryLookupRequest request, Consumer<PrimaryLookupResponse> respond) {
        received.add(request);
        waiting.add(respond);
        if (received.size() == 3) {
            // The last first: answers may overtake each other.
            for (int i = 2; i >= 0; i--) {
                waiting.get(i)
                        .accept(
                                PrimaryLookupResponse.newBuilder()
                                        .setRequest(received.get(i).getRequest())
                                        .setResourceExhausted(received.get(i).getKeysCount() == 2)
                                        .build());
            }
        }
    }

    private Caller<PrimaryLookupRequest, PrimaryLookupResponse> lookups() {
        return lookups(server.address(), DEADLINE);
    }

    Caller<PrimaryLookupRequest, PrimaryLookupResponse> lookups(
            HostPort address, Duration deadline) {
        return channels.stream(
                address,
                EventStoreGrpc.getLookupMethod(),
                deadline,
                new GrpcChannels.Numbering<>(
                        (request, number) -> request.toBuilder().setRequest(number).build(),
                        PrimaryLookupResponse::getRequest));
    }

    static <R> Caller.Reply<R> into(CompletableFuture<R> future) {
        return new Caller.Reply<>() {
            @Override
            public void answered(R answer) {
                future.complete(answer);
            }

            @Override
            public void broken(String why) {
                future.completeExceptionally(new IllegalStateException(why));
            }
        };
    }

    @AfterEach
    void close() {
        channels.close();
        server.close();
        clientLoop.close();
        serverLoop.close();
        assertThat(bugs).isEmpty();
    }

    CompletableFuture<AddRepairRowsResponse> addRows(HostPort address) {
        CompletableFuture<AddRepairRowsResponse> answer = new CompletableFuture<>();
        clientLoop.execute(
                () ->
                        channels.unary(address, DispatcherGrpc.getAddRepairRowsMethod(), DEADLINE)
                                .call(AddRepairRowsRequest.getDefaultInstance(), into(answer)));
        return answer;
    }

    /** What a deadline is to end must not be the making of the connection. */
    private void connect(HostPort address) throws Exception {
        addRows(address).handle((answer, refusal) -> refusal).get(60, TimeUnit.SECONDS);
    }

    @Test
    void aUnaryCallIsAnswered() throws Exception {
        assertThat(addRows(server.address()).get(60, TimeUnit.SECONDS)).isNotNull();
        assertThat(counter.total()).isEqualTo(1);
    }

    @Test
    void answersOfAStreamFindTheirRequestsInAnyOrder() throws Exception {
        List<CompletableFuture<PrimaryLookupResponse>> answers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            answers.add(new CompletableFuture<>());
        }
        clientLoop.execute(
                () -> {
                    Caller<PrimaryLookupRequest, PrimaryLookupResponse> lookups = lookups();
                    for (int i = 0; i < 3; i++) {
                        PrimaryLookupRequest.Builder request = PrimaryLookupRequest.newBuilder();
                        for (int k = 0; k < i; k++) {
                            request.addKeys(ByteString.copyFromUtf8("k" + k));
                        }
                        lookups.call(request.build(), into(answers.get(i)));
                    }
                });
        assertThat(answers.get(0).get(60, TimeUnit.SECONDS).getResourceExhausted()).isFalse();
        assertThat(answers.get(2).get(60, TimeUnit.SECONDS).getResourceExhausted()).isTrue();
        assertThat(counter.total()).isGreaterThanOrEqualTo(5);
    }

    @Test
    void whatWaitsIsBrokenWhenTheServerGoes() {
        CompletableFuture<PrimaryLookupResponse> answer = new CompletableFuture<>();
        CompletableFuture<Void> sent = new CompletableFuture<>();
        clientLoop.execute(
                () -> {
                    lookups().call(PrimaryLookupRequest.getDefaultInstance(), into(answer));
                    sent.complete(null);
                });
        sent.join();
        server.close();
        assertThatThrownBy(() -> answer.get(60, TimeUnit.SECONDS))
                .hasMessageContaining("Lookup at 127.0.0.1");
    }

    /** Of a peer that says nothing at all, what was sent would pile up here and arrive late. */
    @Test
    void aStreamOnWhichNothingComesBackIsGivenUp() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        try (GrpcServer silent =
                sessions((request, out) -> arrived.countDown(), ended::countDown)) {
            connect(silent.address());
            // One that is given up in a pause before it reaches the server ends nothing there.
            for (int calls = 0; calls == 0 || (arrived.getCount() > 0 && calls < 20); calls++) {
                CompletableFuture<PrimaryLookupResponse> first = new CompletableFuture<>();
                clientLoop.execute(
                        () ->
                                lookups(silent.address(), Duration.ofSeconds(3))
                                        .call(
                                                PrimaryLookupRequest.getDefaultInstance(),
                                                into(first)));
                assertThatThrownBy(() -> first.get(60, TimeUnit.SECONDS))
                        .hasMessageContaining("no answer within PT3S");
            }
            assertThat(ended.await(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void aStreamOnWhichOthersAreAnsweredStays() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        try (GrpcServer server =
                sessions(
                        (request, out) -> {
                            if (request.getKeysCount() > 0) {
                                out.accept(
                                        PrimaryLookupResponse.newBuilder()
                                                .setRequest(request.getRequest())
                                                .build());
                            }
                        },
                        ended::countDown)) {
            connect(server.address());
            CompletableFuture<PrimaryLookupResponse> never = new CompletableFuture<>();
            CompletableFuture<PrimaryLookupResponse> answered = new CompletableFuture<>();
            CompletableFuture<PrimaryLookupResponse> later = new CompletableFuture<>();
            PrimaryLookupRequest withKey =
                    PrimaryLookupRequest.newBuilder().addKeys(ByteString.copyFromUtf8("k")).build();
            CompletableFuture<Caller<PrimaryLookupRequest, PrimaryLookupResponse>> caller =
                    new CompletableFuture<>();
            clientLoop.execute(
                    () -> {
                        caller.complete(lookups(server.address(), Duration.ofSeconds(20)));
                        caller.join().call(PrimaryLookupRequest.getDefaultInstance(), into(never));
                        caller.join().call(withKey, into(answered));
                    });
            assertThat(answered.get(60, TimeUnit.SECONDS)).isNotNull();
            assertThatThrownBy(() -> never.get(60, TimeUnit.SECONDS))
                    .hasMessageContaining("no answer within");
            clientLoop.execute(() -> caller.join().call(withKey, into(later)));
            assertThat(later.get(60, TimeUnit.SECONDS)).isNotNull();
            assertThat(ended.getCount()).isEqualTo(1);
        }
    }

    /** Requests that wait for a loop that is behind are bounded on arrival. */
    @Test
    void tooManyUnaryCallsAreRefusedAtOnce() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        serverLoop.execute(
                () -> {
                    try {
                        goOn.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
        List<CompletableFuture<AddRepairRowsResponse>> answers = new ArrayList<>();
        for (int i = 0; i < 3 * OFFERS_MAX; i++) {
            answers.add(new CompletableFuture<>());
        }
        clientLoop.execute(
                () -> {
                    Caller<AddRepairRowsRequest, AddRepairRowsResponse> rows =
                            channels.unary(
                                    server.address(),
                                    DispatcherGrpc.getAddRepairRowsMethod(),
                                    DEADLINE);
                    answers.forEach(
                            a -> rows.call(AddRepairRowsRequest.getDefaultInstance(), into(a)));
                });
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (answers.stream().filter(CompletableFuture::isDone).count() < 2 * OFFERS_MAX
                && System.nanoTime() < deadline) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
        long refused = answers.stream().filter(CompletableFuture::isCompletedExceptionally).count();
        goOn.countDown();
        assertThat(refused).isEqualTo(2 * OFFERS_MAX);
        for (CompletableFuture<AddRepairRowsResponse> answer : answers) {
            answer.handle((response, refusal) -> refusal == null ? "" : refusal.getMessage())
                    .thenAccept(why -> assertThat(why).matches("|.*RESOURCE_EXHAUSTED.*"))
                    .get(60, TimeUnit.SECONDS);
        }
    }

    /** What a peer does not read would pile up here. */
    @Test
    void aPeerThatDoesNotReadIsNotReadEither() throws Exception {
        AtomicInteger requests = new AtomicInteger();
        ByteString large = ByteString.copyFrom(new byte[16 << 10]);
        try (GrpcServer server =
                sessions(
                        (request, out) -> {
                            requests.incrementAndGet();
                            out.accept(
                                    PrimaryLookupResponse.newBuilder()
                                            .addResults(
                                                    PrimaryLookupResponse.Result.newBuilder()
                                                            .setPrimary(
                                                                    Event.newBuilder()
                                                                            .setJson(large)))
                                            .build());
                        },
                        () -> {})) {
            ManagedChannel channel =
                    ManagedChannelBuilder.forTarget(server.address().toString())
                            .usePlaintext()
                            .build();
            ClientCall<PrimaryLookupRequest, PrimaryLookupResponse> call =
                    channel.newCall(EventStoreGrpc.getLookupMethod(), CallOptions.DEFAULT);
            AtomicInteger answers = new AtomicInteger();
            call.start(
                    new ClientCall.Listener<>() {
                        @Override
                        public void onMessage(PrimaryLookupResponse answer) {
                            answers.incrementAndGet();
                        }
                    },
                    new Metadata());
            for (int i = 0; i < 1_000; i++) {
                call.sendMessage(PrimaryLookupRequest.getDefaultInstance());
            }
            long before;
            do {
                before = requests.get();
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500));
            } while (before == 0 || requests.get() > before);
            assertThat(requests.get()).isLessThan(200);
            call.request(1_000);
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
            while (answers.get() < 1_000 && System.nanoTime() < deadline) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            }
            assertThat(answers.get()).isEqualTo(1_000);
            channel.shutdownNow();
        }
    }

    GrpcServer sessions(
            BiConsumer<PrimaryLookupRequest, Consumer<PrimaryLookupResponse>> handler,
            Runnable closed) {
        return at(new HostPort("127.0.0.1", 0))
                .<PrimaryLookupRequest, PrimaryLookupResponse>session(
                        EventStoreGrpc.getLookupMethod(),
                        out ->
                                new SessionHandler.Session<>() {
                                    @Override
                                    public void received(PrimaryLookupRequest request) {
                                        handler.accept(request, out);
                                    }

                                    @Override
                                    public void closed() {
                                        closed.run();
                                    }
                                })
                .start();
    }

    @Test
    void aPortInUseIsAClearError() {
        assertThatThrownBy(() -> GrpcServer.at(server.address(), serverLoop).start())
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("Cannot listen on " + server.address())
                .hasMessageContaining("Expected a free port");
    }

    /** Its interface may not be up yet: a supervisor tries again, which it would not otherwise. */
    @Test
    void anAddressThatTheMachineDoesNotHaveNowIsAFailureAndNoWrongConfiguration() {
        HostPort elsewhere = new HostPort("192.0.2.77", 7400);
        assertThatThrownBy(() -> GrpcServer.at(elsewhere, serverLoop).start())
                .isInstanceOf(FailedException.class)
                .hasMessageContaining("Cannot listen on 192.0.2.77:7400 for calls")
                .hasMessageContaining("Expected an address that this machine has");
    }

    /** And nowhere else: a port that is named by an address is open at that address only. */
    @Test
    void itListensAtTheNamedAddressOnly() {
        int port = server.address().port();
        assertThatCode(() -> connectTo("127.0.0.1", port)).doesNotThrowAnyException();
        assertThatThrownBy(() -> connectTo("127.0.0.2", port)).isInstanceOf(IOException.class);
    }

    private static void connectTo(String host, int port) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), 120_000);
        }
    }
}
