package photon.core.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import photon.core.loop.ThreadLoop;
import photon.proto.v1.AddRepairRowsRequest;
import photon.proto.v1.AddRepairRowsResponse;
import photon.proto.v1.DispatcherGrpc;
import photon.proto.v1.Event;
import photon.proto.v1.RepairRow;

/** What a peer can make a server hold is bounded, and what is beyond that is told so. */
@Timeout(600)
class RpcLimitsTest {
    private static final Duration DEADLINE = Duration.ofMinutes(2);
    private static final int MESSAGE_BYTES = 10_000;

    private final List<Throwable> bugs = new ArrayList<>();
    private final ThreadLoop serverLoop =
            new ThreadLoop("server", 1_000, (where, bug) -> bugs.add(bug));
    private final ThreadLoop clientLoop =
            new ThreadLoop("client", 1_000, (where, bug) -> bugs.add(bug));
    private final List<Consumer<AddRepairRowsResponse>> waiting = new ArrayList<>();
    private final CountDownLatch come = new CountDownLatch(2);
    private final List<GrpcChannels> connections = new ArrayList<>();

    private GrpcServer server(RpcLimits limits, boolean answers) {
        return GrpcServer.at(new HostPort("127.0.0.1", 0), serverLoop)
                .limits(limits)
                .<AddRepairRowsRequest, AddRepairRowsResponse>unary(
                        DispatcherGrpc.getAddRepairRowsMethod(),
                        (request, respond) -> {
                            if (answers) {
                                respond.accept(AddRepairRowsResponse.getDefaultInstance());
                            } else {
                                waiting.add(respond);
                                come.countDown();
                            }
                        })
                .start();
    }

    private GrpcChannels connection() {
        GrpcChannels made = new GrpcChannels(clientLoop, new ProcessRpcs());
        connections.add(made);
        return made;
    }

    private CompletableFuture<String> call(GrpcChannels from, GrpcServer to, int bytes) {
        AddRepairRowsRequest request =
                AddRepairRowsRequest.newBuilder()
                        .addRows(
                                RepairRow.newBuilder()
                                        .setEvent(
                                                Event.newBuilder()
                                                        .setJson(
                                                                ByteString.copyFrom(
                                                                        new byte[bytes]))))
                        .build();
        CompletableFuture<String> answer = new CompletableFuture<>();
        clientLoop.execute(
                () ->
                        from.unary(to.address(), DispatcherGrpc.getAddRepairRowsMethod(), DEADLINE)
                                .call(
                                        request,
                                        new Caller.Reply<>() {
                                            @Override
                                            public void answered(AddRepairRowsResponse response) {
                                                answer.complete("answered");
                                            }

                                            @Override
                                            public void broken(String why) {
                                                answer.complete(why);
                                            }
                                        }));
        return answer;
    }

    private static String of(CompletableFuture<String> answer) throws Exception {
        return answer.get(3, TimeUnit.MINUTES);
    }

    @AfterEach
    void close() {
        connections.forEach(GrpcChannels::close);
        clientLoop.close();
        serverLoop.close();
        assertThat(bugs).isEmpty();
    }

    @Test
    void aMessageThatIsTooLargeIsRefusedAndTheConnectionGoesOn() throws Exception {
        try (GrpcServer server = server(limits(10, 10, 1 << 20), true)) {
            GrpcChannels peer = connection();
            assertThat(of(call(peer, server, MESSAGE_BYTES + 1))).contains("RESOURCE_EXHAUSTED");
            assertThat(of(call(peer, server, 1))).isEqualTo("answered");
        }
    }

    @Test
    void moreCallsThanAConnectionMayHaveAreRefusedUntilOthersEnd() throws Exception {
        try (GrpcServer server = server(limits(10, 2, 1 << 20), false)) {
            GrpcChannels peer = connection();
            List<CompletableFuture<String>> first =
                    List.of(call(peer, server, 1), call(peer, server, 1));
            assertThat(come.await(2, TimeUnit.MINUTES)).isTrue();
            assertThat(of(call(peer, server, 1)))
                    .contains("RESOURCE_EXHAUSTED", "more than 2 calls are open");
            answerAll();
            for (CompletableFuture<String> call : first) {
                assertThat(of(call)).isEqualTo("answered");
            }
            // That a call has ended the server hears a moment after its peer.
            String again;
            do {
                CompletableFuture<String> later = call(peer, server, 1);
                later.completeOnTimeout("held", 2, TimeUnit.SECONDS);
                again = of(later);
                answerAll();
            } while (again.contains("RESOURCE_EXHAUSTED"));
        }
    }

    private void answerAll() {
        serverLoop.execute(
                () -> {
                    waiting.forEach(
                            respond -> respond.accept(AddRepairRowsResponse.getDefaultInstance()));
                    waiting.clear();
                });
    }

    @Test
    void aConnectionTooManyIsRefusedUntilAnotherEnds() throws Exception {
        try (GrpcServer server = server(limits(1, 10, 1 << 20), true)) {
            GrpcChannels first = connection();
            assertThat(of(call(first, server, 1))).isEqualTo("answered");
            assertThat(of(call(connection(), server, 1)))
                    .contains("RESOURCE_EXHAUSTED", "more than 1 connections are open");
            assertThat(of(call(first, server, 1))).isEqualTo("answered");
            connections.forEach(GrpcChannels::close);
            String again;
            do {
                GrpcChannels later = connection();
                again = of(call(later, server, 1));
                later.close();
            } while (again.contains("RESOURCE_EXHAUSTED"));
            assertThat(again).isEqualTo("answered");
        }
    }

    @Test
    void aConnectionThatWasOneTooManyIsServedWhenAnotherHasEnded() {
        ConnectionLoad.Places places = new ConnectionLoad.Places(1);
        ConnectionLoad first = new ConnectionLoad(limits(1, 10, 100), places);
        ConnectionLoad second = new ConnectionLoad(limits(1, 10, 100), places);
        assertThat(first.begun()).isNull();
        assertThat(second.begun()).isEqualTo(RpcError.TOO_MANY_CONNECTIONS);
        first.closed();
        first.closed();
        assertThat(second.begun()).isNull();
        ConnectionLoad third = new ConnectionLoad(limits(1, 10, 100), places);
        assertThat(third.begun()).isEqualTo(RpcError.TOO_MANY_CONNECTIONS);
        third.closed();
        assertThat(second.begun()).isNull();
        assertThat(new ConnectionLoad(limits(1, 10, 100), places).begun())
                .as("one that had no place gives none back")
                .isEqualTo(RpcError.TOO_MANY_CONNECTIONS);
    }

    @Test
    void bytesThatWaitOnAConnectionAreBounded() throws Exception {
        try (GrpcServer server = server(limits(10, 100, 3 * MESSAGE_BYTES), true)) {
            CountDownLatch goOn = new CountDownLatch(1);
            serverLoop.execute(
                    () -> {
                        try {
                            goOn.await();
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                    });
            GrpcChannels peer = connection();
            List<CompletableFuture<String>> answers = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                answers.add(call(peer, server, MESSAGE_BYTES - 100));
            }
            // Large messages overtake each other: any four of them may be whole first.
            CountDownLatch refusals = new CountDownLatch(6);
            answers.forEach(answer -> answer.thenRun(refusals::countDown));
            assertThat(refusals.await(2, TimeUnit.MINUTES)).isTrue();
            goOn.countDown();
            List<String> all = new ArrayList<>();
            for (CompletableFuture<String> answer : answers) {
                all.add(of(answer));
            }
            assertThat(all).filteredOn("answered"::equals).hasSize(4);
            assertThat(all)
                    .filteredOn(answer -> !"answered".equals(answer))
                    .allSatisfy(
                            answer ->
                                    assertThat(answer)
                                            .contains(
                                                    "RESOURCE_EXHAUSTED",
                                                    "too many bytes are waiting"));
            assertThat(of(call(peer, server, 1))).as("goes on").isEqualTo("answered");
        }
    }

    @Test
    void aStreamGoesOnOneByOneWhileOthersFillItsConnection() {
        ConnectionLoad connection =
                new ConnectionLoad(limits(1, 1, 100), new ConnectionLoad.Places(1));
        StreamIntake stream = new StreamIntake(3, connection);
        assertThat(stream.opened()).isTrue();
        connection.arrived(50);
        assertThat(stream.arrived()).as("ahead").isTrue();
        connection.arrived(50);
        assertThat(stream.arrived()).as("full").isFalse();
        assertThat(stream.handled(1)).as("full of the second").isFalse();
        assertThat(stream.handled(1)).as("it holds nothing itself").isTrue();
        connection.handled(100);
        assertThat(stream.arrived()).isTrue();
        assertThat(stream.arrived()).isTrue();
        assertThat(stream.arrived()).as("three are here").isFalse();
        assertThat(stream.handled(1)).isTrue();
        assertThat(stream.handled(1)).as("one is asked for already").isFalse();
    }

    private static RpcLimits limits(int connections, int calls, long bytes) {
        return new RpcLimits(connections, calls, MESSAGE_BYTES, bytes);
    }
}
