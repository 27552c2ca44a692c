package photon.registry.client;

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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.loop.ManualLoop;
import photon.core.rpc.Caller;
import photon.core.rpc.HostPort;
import photon.idregistry.batch.BatchLimits;
import photon.idregistry.batch.CommitBatcher;
import photon.idregistry.batch.FakeLog;
import photon.proto.v1.CommitRequest;
import photon.proto.v1.CommitResponse;
import photon.proto.v1.DescribePipelineRequest;
import photon.proto.v1.DescribePipelineResponse;
import photon.proto.v1.Pipeline;
import photon.proto.v1.Progress;
import photon.registry.api.CommitBatch;
import photon.registry.api.CommitOutcome;
import photon.registry.api.IdRegistry;
import photon.registry.api.RegistryClient;
import photon.registry.api.RegistryClient.Commit;
import photon.registry.api.RegistryClient.CommitResult;
import photon.registry.api.RegistryProtos;
import photon.registry.api.ShardMap;

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

    /**
     * Calls of the client for many threads, alone and in batches, with deadlines that often pass.
     * Whoever hears UNKNOWN asks again with its token; whoever hears that nothing was submitted has
     * never used its token, and may forget it.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void whatADeadlineLeavesIsWhatItSays(long seed) {
        random = new Random(seed);
        List<Asker> askers = new ArrayList<>();
        for (int c = 1; c <= CLIENTS; c++) {
            Asker asker = new Asker(c, shared(c));
            askers.add(asker);
            for (int i = 0; i < IDS; ) {
                int count = Math.min(IDS - i, random.nextBoolean() ? 1 : 1 + random.nextInt(90));
                int from = i;
                loop.schedule(
                        Duration.ofMillis(random.nextInt(2_000)), () -> asker.ask(from, count));
                i += count;
            }
        }
        boolean done = false;
        for (int step = 0; step < 8_000 && !done; step++) {
            calm = step > 3_000;
            loop.advance(Duration.ofMillis(10));
            decideSome();
            done = askers.stream().allMatch(asker -> asker.decided.size() == IDS);
        }
        assertThat(askers).allMatch(asker -> asker.decided.size() == IDS);
        Map<EventId, CommitToken> accepted = new HashMap<>();
        for (Asker asker : askers) {
            asker.decided.forEach(
                    (id, token) -> {
                        if (token != null) {
                            assertThat(accepted.put(id, token)).as("%s", id).isNull();
                        }
                    });
        }
        assertThat(accepted.size()).isEqualTo(IDS);
        accepted.forEach((id, token) -> assertThat(log.state.lookup(id)).isEqualTo(token));
        // Requests of calls that their deadlines have ended may still be under way.
        for (int step = 0; step < 200; step++) {
            loop.advance(Duration.ofMillis(10));
            decideSome();
        }
        for (Asker asker : askers) {
            assertThat(asker.registry.outstandingIds()).isZero();
            for (Map.Entry<CommitToken, EventId> unused : asker.forgotten.entrySet()) {
                assertThat(log.state.lookup(unused.getValue())).isNotEqualTo(unused.getKey());
            }
        }
        long forgotten = askers.stream().mapToLong(asker -> asker.forgotten.size()).sum();
        long unknown = askers.stream().mapToLong(asker -> asker.unknown).sum();
        assertThat(forgotten).as("deadlines that passed before anything was sent").isPositive();
        assertThat(unknown).as("deadlines that passed after").isPositive();
    }

    /** One who wants all ids. */
    private final class Asker {
        final IdRegistry registry;

        /** The token by which it got the id; null where another got it. */
        final Map<EventId, @Nullable CommitToken> decided = new HashMap<>();

        /** Tokens that were never submitted, of which it was told so. */
        final Map<CommitToken, EventId> forgotten = new HashMap<>();

        private final int number;
        private final Map<EventId, CommitToken> tokens = new HashMap<>();
        private final java.util.Set<EventId> maybeSent = new java.util.HashSet<>();
        private long lastSequence;
        private long unknown;

        Asker(int number, IdRegistry registry) {
            this.number = number;
            this.registry = registry;
        }

        void ask(int from, int count) {
            Duration timeout = Duration.ofMillis(1 + random.nextInt(calm ? 60_000 : 600));
            if (count == 1) {
                EventId id = new EventId(from, 0, 0, 1);
                registry.commit(id, token(id), timeout)
                        .thenAccept(outcome -> heard(id, token(id), outcome));
                return;
            }
            CommitBatch.Builder builder = CommitBatch.builder(count);
            for (int i = from; i < from + count; i++) {
                EventId id = new EventId(i, 0, 0, 1);
                builder.add(id, token(id));
            }
            CommitBatch batch = builder.build();
            registry.commit(batch, timeout)
                    .thenAccept(
                            outcomes -> {
                                for (int i = 0; i < outcomes.size(); i++) {
                                    heard(batch.ids().get(i), batch.token(i), outcomes.get(i));
                                }
                            });
        }

        private CommitToken token(EventId id) {
            return tokens.computeIfAbsent(id, i -> new CommitToken(number, 1, ++lastSequence));
        }

        private void heard(EventId id, CommitToken token, CommitOutcome outcome) {
            assertThat(decided).doesNotContainKey(id);
            if (outcome instanceof CommitOutcome.Decided answer) {
                boolean mine = outcome.isAccepted();
                assertThat(answer.result())
                        .isEqualTo(mine ? CommitResult.ACCEPTED : CommitResult.TAKEN);
                decided.put(id, mine ? token : null);
                return;
            }
            if (outcome instanceof CommitOutcome.Unknown) {
                unknown++;
                maybeSent.add(id);
            } else if (!maybeSent.contains(id)) {
                forgotten.put(token, id);
                tokens.remove(id);
            }
            loop.schedule(
                    Duration.ofMillis(1 + random.nextInt(50)), () -> ask((int) id.micros(), 1));
        }
    }

    private IdRegistry shared(int number) {
        List<HostPort> servers = List.of(new HostPort("a", 1), new HostPort("b", 2));
        RegistryConnection connection =
                new RegistryConnection(
                        loop, new Lossy(number), servers, "ads", new SplittableRandom(number));
        List<IdRegistry> ready = new ArrayList<>();
        IdRegistry.Options options =
                IdRegistry.Options.DEFAULTS
                        .with(250, IdRegistry.WhenFull.REFUSE)
                        .withRequests(64, 2);
        connection.describe().thenAccept(known -> ready.add(connection.shared(known, options)));
        while (ready.isEmpty()) {
            loop.advance(Duration.ofMillis(100));
        }
        return ready.get(0);
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
                                .setUuid(RegistryProtos.bytes(new UUID(1, 2)))
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
                    none(),
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
