package photon.core.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import photon.proto.v1.AddRepairRowsRequest;
import photon.proto.v1.DispatcherGrpc;
import photon.proto.v1.PrimaryLookupRequest;
import photon.proto.v1.PrimaryLookupResponse;

/** All that holds over a network, for callers and servers of one process. */
class SameProcessTest extends GrpcTest {
    @Override
    GrpcServer.Builder at(HostPort address) {
        return super.at(address).within(rpcs());
    }

    /** Who hands over the message itself neither writes nor reads it. */
    @Test
    void aServerOfThisProcessIsGivenTheMessageItself() throws Exception {
        CompletableFuture<PrimaryLookupRequest> received = new CompletableFuture<>();
        PrimaryLookupRequest sent =
                PrimaryLookupRequest.newBuilder().addKeys(ByteString.copyFromUtf8("k")).build();
        GrpcChannels channels = new GrpcChannels(clientLoop, rpcs());
        try (GrpcServer server = sessions((request, out) -> received.complete(request), () -> {})) {
            clientLoop.execute(() -> session(channels, server, sent));
            assertThat(received.get(60, TimeUnit.SECONDS)).isSameAs(sent);
        } finally {
            channels.close();
        }
    }

    /** One that counts for another process must not be found. */
    @Test
    void aCallerOfAnotherProcessComesOverTheNetwork() throws Exception {
        CompletableFuture<PrimaryLookupRequest> received = new CompletableFuture<>();
        PrimaryLookupRequest sent =
                PrimaryLookupRequest.newBuilder().addKeys(ByteString.copyFromUtf8("k")).build();
        GrpcChannels channels = new GrpcChannels(clientLoop, new ProcessRpcs());
        try (GrpcServer server = sessions((request, out) -> received.complete(request), () -> {})) {
            clientLoop.execute(() -> session(channels, server, sent));
            assertThat(received.get(60, TimeUnit.SECONDS)).isEqualTo(sent).isNotSameAs(sent);
        } finally {
            channels.close();
        }
    }

    private static void session(
            GrpcChannels channels, GrpcServer server, PrimaryLookupRequest message) {
        channels.<PrimaryLookupRequest, PrimaryLookupResponse>session(
                        server.address(), photon.proto.v1.EventStoreGrpc.getLookupMethod())
                .open(
                        new SessionCaller.Listener<>() {
                            @Override
                            public void received(PrimaryLookupResponse answer) {}

                            @Override
                            public void broken(String why) {}
                        })
                .send(message);
    }

    @Test
    void aServerThatIsGoneIsNotReachedAndOneThatTakesItsPlaceIs() throws Exception {
        HostPort address;
        // Nobody else gets it meanwhile.
        int port = LoopbackPorts.choose(1, new Random()).get(0);
        try (GrpcServer first = rows(new HostPort("127.0.0.1", port))) {
            address = first.address();
            assertThat(addRows(address).get(60, TimeUnit.SECONDS)).isNotNull();
        }
        assertThatThrownBy(() -> addRows(address).get(60, TimeUnit.SECONDS))
                .hasMessageContaining("UNAVAILABLE");
        try (GrpcServer second = rows(address)) {
            assertThat(second.address()).isEqualTo(address);
            assertThat(addRows(address).get(60, TimeUnit.SECONDS)).isNotNull();
        }
    }

    private GrpcServer rows(HostPort address) {
        return at(address)
                .unary(
                        DispatcherGrpc.getAddRepairRowsMethod(),
                        (AddRepairRowsRequest request,
                                java.util.function.Consumer<photon.proto.v1.AddRepairRowsResponse>
                                        respond) ->
                                respond.accept(
                                        photon.proto.v1.AddRepairRowsResponse.getDefaultInstance()))
                .start();
    }
}
