package photon.registry.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import photon.core.error.BugHandler;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.loop.ThreadLoop;
import photon.core.rpc.GrpcServer;
import photon.core.rpc.HostPort;
import photon.core.rpc.ProcessRpcs;
import photon.proto.v1.CommitRequest;
import photon.proto.v1.CommitResponse;
import photon.proto.v1.ControlGrpc;
import photon.proto.v1.DescribePipelineRequest;
import photon.proto.v1.DescribePipelineResponse;
import photon.proto.v1.Outcome;
import photon.proto.v1.Pipeline;
import photon.proto.v1.Progress;
import photon.proto.v1.RegistryGrpc;
import photon.registry.api.RegistryClient;
import photon.registry.api.RegistryClient.Commit;
import photon.registry.api.RegistryClient.CommitResult;
import photon.registry.api.RegistryProtos;
import photon.registry.api.ShardMap;

/** The one thin layer that speaks gRPC, against a real server in this process. */
final class GrpcRegistryTest {
    @Test
    void commitsTravelOnAStreamAndAnswersMayOvertakeEachOther() throws Exception {
        CompletableFuture<Object> bug = new CompletableFuture<>();
        BugHandler bugs = (where, failure) -> bug.completeExceptionally(failure);
        ThreadLoop serverLoop = new ThreadLoop("server", 100, bugs);
        ThreadLoop clientLoop = new ThreadLoop("client", 100, bugs);
        ProcessRpcs counter = new ProcessRpcs();
        List<Runnable> held = new ArrayList<>();
        try (GrpcServer server =
                GrpcServer.at(new HostPort("127.0.0.1", 0), serverLoop)
                        .unary(ControlGrpc.getDescribePipelineMethod(), this::describe)
                        .stream(
                                RegistryGrpc.getCommitMethod(),
                                (request, respond) -> {
                                    // The first is answered after the second.
                                    held.add(0, () -> accept(request, respond));
                                    if (held.size() == 2) {
                                        held.forEach(Runnable::run);
                                    }
                                })
                        .start()) {
            List<String> answers = new ArrayList<>();
            CompletableFuture<Object> done = new CompletableFuture<>();
            CompletableFuture<RegistryConnection> connection = new CompletableFuture<>();
            clientLoop.execute(
                    () -> {
                        RegistryConnection made =
                                GrpcRegistry.connect(
                                        clientLoop,
                                        List.of(server.address()),
                                        "ads",
                                        counter,
                                        new SplittableRandom(1));
                        connection.complete(made);
                        made.registry().thenAccept(client -> commitTwice(client, answers, done));
                    });
            CompletableFuture.anyOf(done, bug).get(20, TimeUnit.SECONDS);
            assertThat(answers).containsExactly("2 ACCEPTED", "1 ACCEPTED");
            // Describe, and two messages there and back.
            assertThat(counter.total()).isEqualTo(5);
            clientLoop.execute(() -> connection.join().close());
        } finally {
            clientLoop.close();
            serverLoop.close();
        }
    }

    private static void commitTwice(
            RegistryClient client, List<String> answers, CompletableFuture<Object> done) {
        RegistryClient.CommitListener listener =
                (commit, result, holder, again) -> {
                    answers.add(commit.token().sequence() + " " + result);
                    assertThat(result).isEqualTo(CommitResult.ACCEPTED);
                    if (answers.size() == 2) {
                        done.complete("");
                    }
                };
        // Two shards, so two requests.
        ShardMap map = ShardMap.initial(2);
        for (int wanted = 0; wanted < 2; wanted++) {
            long low = 0;
            while (map.owner(new EventId(5, 0, low, 1)).number() != wanted) {
                low++;
            }
            EventId id = new EventId(5, 0, low, 1);
            client.commit(List.of(new Commit(id, new CommitToken(1, 1, wanted + 1))), listener);
        }
    }

    private static void accept(CommitRequest request, Consumer<CommitResponse> respond) {
        respond.accept(
                CommitResponse.newBuilder()
                        .setRequest(request.getRequest())
                        .setProgress(Progress.DECIDED)
                        .setOutcomes(
                                ByteString.copyFrom(new byte[] {(byte) Outcome.ACCEPTED_VALUE}))
                        .build());
    }

    private void describe(
            DescribePipelineRequest request, Consumer<DescribePipelineResponse> respond) {
        respond.accept(
                DescribePipelineResponse.newBuilder()
                        .setPipeline(
                                Pipeline.newBuilder()
                                        .setName(request.getName())
                                        .setUuid(RegistryProtos.bytes(new UUID(1, 2)))
                                        .setMap(ShardMap.initial(2).toProto()))
                        .build());
    }
}
