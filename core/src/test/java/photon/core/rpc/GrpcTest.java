package photon.core.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import photon.core.error.ConfigException;
import photon.core.loop.ThreadLoop;
import photon.proto.v1.AddRepairRowsRequest;
import photon.proto.v1.AddRepairRowsResponse;
import photon.proto.v1.DispatcherGrpc;
import photon.proto.v1.EventStoreGrpc;
import photon.proto.v1.PrimaryLookupRequest;
import photon.proto.v1.PrimaryLookupResponse;

class GrpcTest {
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    private final List<Throwable> bugs = new ArrayList<>();
    private final ThreadLoop serverLoop =
            new ThreadLoop("server", 100, (where, bug) -> bugs.add(bug));
    private final ThreadLoop clientLoop =
            new ThreadLoop("client", 100, (where, bug) -> bugs.add(bug));
    private final RpcCounter counter = new RpcCounter();
    private final GrpcChannels channels = new GrpcChannels(clientLoop, counter);
    private final List<Consumer<PrimaryLookupResponse>> waiting = new ArrayList<>();
    private final List<PrimaryLookupRequest> received = new ArrayList<>();

    private final GrpcServer server =
            GrpcServer.at(new HostPort("127.0.0.1", 0), serverLoop)
                    .<AddRepairRowsRequest, AddRepairRowsResponse>unary(
                            DispatcherGrpc.getAddRepairRowsMethod(),
                            (request, respond) ->
                                    respond.accept(AddRepairRowsResponse.getDefaultInstance()))
                    .<PrimaryLookupRequest, PrimaryLookupResponse>stream(
                            EventStoreGrpc.getLookupMethod(), this::hold)
                    .start();

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
        return channels.stream(
                server.address(),
                EventStoreGrpc.getLookupMethod(),
                DEADLINE,
                new GrpcChannels.Numbering<>(
                        (request, number) -> request.toBuilder().setRequest(number).build(),
                        PrimaryLookupResponse::getRequest));
    }

    private static <R> Caller.Reply<R> into(CompletableFuture<R> future) {
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

    @Test
    void aUnaryCallIsAnswered() throws Exception {
        CompletableFuture<AddRepairRowsResponse> answer = new CompletableFuture<>();
        clientLoop.execute(
                () ->
                        channels.unary(
                                        server.address(),
                                        DispatcherGrpc.getAddRepairRowsMethod(),
                                        DEADLINE)
                                .call(AddRepairRowsRequest.getDefaultInstance(), into(answer)));
        assertThat(answer.get(20, TimeUnit.SECONDS)).isNotNull();
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
        assertThat(answers.get(0).get(20, TimeUnit.SECONDS).getResourceExhausted()).isFalse();
        assertThat(answers.get(2).get(20, TimeUnit.SECONDS).getResourceExhausted()).isTrue();
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
        assertThatThrownBy(() -> answer.get(20, TimeUnit.SECONDS))
                .hasMessageContaining("Lookup at 127.0.0.1");
    }

    @Test
    void aPortInUseIsAClearError() {
        assertThatThrownBy(() -> GrpcServer.at(server.address(), serverLoop).start())
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("Cannot listen on " + server.address())
                .hasMessageContaining("Expected a free port");
    }
}
