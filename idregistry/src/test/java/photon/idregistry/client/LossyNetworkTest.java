package photon.idregistry.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.loop.ManualLoop;
import photon.core.rpc.Caller;
import photon.core.rpc.HostPort;
import photon.idregistry.api.RegistryClient;
import photon.idregistry.api.RegistryClient.Commit;
import photon.idregistry.api.RegistryClient.CommitResult;
import photon.idregistry.batch.BatchLimits;
import photon.idregistry.batch.CommitBatcher;
import photon.idregistry.batch.FakeLog;
import photon.idregistry.control.ControlState;
import photon.idregistry.shard.ShardMap;
import photon.proto.v1.CommitRequest;
import photon.proto.v1.CommitResponse;
import photon.proto.v1.DescribePipelineRequest;
import photon.proto.v1.DescribePipelineResponse;
import photon.proto.v1.Pipeline;
import photon.proto.v1.Progress;

/**
 * Client, batcher and shard together, over a network that delays, overtakes and loses requests and
 * answers, and a log that loses answers.
 */
final class LossyNetworkTest {
    private static final int CLIENTS = 3;
    private static final int IDS = 400;

    private final ManualLoop loop = new ManualLoop();
    private final FakeLog log = new FakeLog(1);
    private final CommitBatcher batcher = new CommitBatcher(loop, log, new BatchLimits(64, 2, 256));
    private Random random = new Random(0);
    private boolean calm;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void everyIdIsAcceptedForOneTokenAndEveryCommitIsAnsweredOnce(long seed) {
        random = new Random(seed);
        Map<EventId, CommitToken> accepted = new HashMap<>();
        Map<Commit, CommitResult> answers = new HashMap<>();
        for (int c = 1; c <= CLIENTS; c++) {
            RegistryClient client = connect(c);
            for (int i = 0; i < IDS; i++) {
                Commit commit = new Commit(new EventId(i, 0, 0, 1), new CommitToken(c, 1, i));
                loop.schedule(
                        Duration.ofMillis(random.nextInt(2_000)),
                        () ->
                                client.commit(
                                        List.of(commit),
                                        (asked, result, holder, again) -> {
                                            assertThat(answers.put(asked, result)).isNull();
                                            CommitToken owner =
                                                    holder == null ? asked.token() : holder;
                                            assertThat(accepted.getOrDefault(asked.id(), owner))
                                                    .isEqualTo(owner);
                                            accepted.put(asked.id(), owner);
                                        }));
            }
        }
        for (int step = 0; step < 4_000 && answers.size() < CLIENTS * IDS; step++) {
            calm = step > 2_000;
            loop.advance(Duration.ofMillis(10));
            decideSome();
        }
        assertThat(answers.size()).isEqualTo(CLIENTS * IDS);
        assertThat(answers.values().stream().filter(r -> r == CommitResult.ACCEPTED).count())
                .isEqualTo(IDS);
        accepted.forEach((id, token) -> assertThat(log.state.lookup(id)).isEqualTo(token));
    }

    private void decideSome() {
        while (log.inFlight() > 0 && (calm || random.nextInt(3) > 0)) {
            int luck = calm ? 9 : random.nextInt(10);
            if (luck == 0) {
                log.applyNextAndFail();
            } else if (luck == 1) {
                log.refuseNext();
            } else {
                log.applyNext();
            }
        }
    }

    private RegistryClient connect(int number) {
        List<HostPort> servers = List.of(new HostPort("a", 1), new HostPort("b", 2));
        List<RegistryClient> ready = new ArrayList<>();
        new RegistryConnection(
                        loop, new Lossy(number), servers, "ads", new SplittableRandom(number))
                .registry()
                .thenAccept(ready::add);
        while (ready.isEmpty()) {
            loop.advance(Duration.ofMillis(100));
        }
        return ready.get(0);
    }

    private void commit(Object caller, CommitRequest request, Consumer<CommitResponse> respond) {
        boolean taken =
                batcher.offer(
                        caller,
                        request.getIds(),
                        request.getTokens(),
                        Long.MAX_VALUE,
                        answer -> respond.accept(answer.toProto(0).build()));
        if (!taken) {
            respond.accept(
                    CommitResponse.newBuilder().setProgress(Progress.RESOURCE_EXHAUSTED).build());
        }
    }

    private static DescribePipelineResponse description() {
        return DescribePipelineResponse.newBuilder()
                .setPipeline(
                        Pipeline.newBuilder()
                                .setName("ads")
                                .setUuid(ControlState.bytes(new UUID(1, 2)))
                                .setMap(ShardMap.initial(1).toProto()))
                .build();
    }

    /** Server b leads; server a says so. */
    private final class Lossy implements RegistryTransport {
        private final Object caller;

        Lossy(int number) {
            this.caller = number;
        }

        @Override
        public Server at(HostPort server) {
            BiConsumer<CommitRequest, Consumer<CommitResponse>> handler =
                    server.host().equals("b")
                            ? (request, respond) -> commit(caller, request, respond)
                            : (request, respond) ->
                                    respond.accept(
                                            CommitResponse.newBuilder()
                                                    .setProgress(Progress.NOT_LEADER)
                                                    .setLeader("b:2")
                                                    .build());
            return new Server(
                    over(handler),
                    none(),
                    none(),
                    none(),
                    none(),
                    none(),
                    none(),
                    LossyNetworkTest.this.<DescribePipelineRequest, DescribePipelineResponse>over(
                            (request, respond) -> respond.accept(description())),
                    none(),
                    none(),
                    none(),
                    none(),
                    none(),
                    none(),
                    none());
        }

        @Override
        public void close() {}
    }

    private <Q, R> Caller<Q, R> none() {
        return over((request, respond) -> {});
    }

    private <Q, R> Caller<Q, R> over(BiConsumer<Q, Consumer<R>> handler) {
        return new Caller<>() {
            @Override
            public void call(Q request, Reply<R> reply) {
                boolean[] settled = new boolean[1];
                loop.schedule(
                        Duration.ofMillis(400),
                        () -> {
                            if (!settled[0]) {
                                settled[0] = true;
                                reply.broken("no answer");
                            }
                        });
                // A request may arrive long after its sender has given up.
                travel(
                        () ->
                                handler.accept(
                                        request,
                                        answer ->
                                                travel(
                                                        () -> {
                                                            if (!settled[0]) {
                                                                settled[0] = true;
                                                                reply.answered(answer);
                                                            }
                                                        })));
            }

            @Override
            public void close() {}
        };
    }

    private void travel(Runnable arrive) {
        if (calm || random.nextInt(5) > 0) {
            int worst = random.nextInt(10) == 0 && !calm ? 1_500 : 20;
            loop.schedule(Duration.ofMillis(1 + random.nextInt(worst)), arrive);
        }
    }
}
