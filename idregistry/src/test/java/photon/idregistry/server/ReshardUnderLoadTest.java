package photon.idregistry.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.error.BugHandler;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.idregistry.raft.GroupIds;
import photon.registry.api.CommitBatch;
import photon.registry.api.CommitOutcome;
import photon.registry.api.CommitOutcome.Decided;
import photon.registry.api.IdRegistry;
import photon.registry.api.RegistryClient.CommitResult;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.ReshardClient.End;
import photon.registry.client.GrpcIdRegistry;

/**
 * Three real servers: shards become more and fewer while ids flow, of which a third is wanted by
 * two clients; then the boundary passes the old ones, whose groups go, files and all.
 */
@Tag("crash")
@Timeout(600)
class ReshardUnderLoadTest {
    /** Clocks are asked for every 15 s, and an answer may be lost. */
    private static final int GONE_SECONDS_MAX = 90;

    private static final int ANSWERS_SECONDS_MAX = 120;

    private static final Logger LOG = LoggerFactory.getLogger(ReshardUnderLoadTest.class);
    private static final int BATCH = 64;
    private static final int IN_FLIGHT = 8;
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final long FIRST_MICROS = 1_000_000;

    @TempDir Path root;

    /** The timestamp of the next id: the load's own time. */
    private final AtomicLong nextMicros = new AtomicLong(FIRST_MICROS);

    private final Map<EventId, CommitToken> accepted = new ConcurrentHashMap<>();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private final AtomicLong answered = new AtomicLong();
    private final AtomicLong taken = new AtomicLong();
    private final AtomicLong lastAnswerNanos = new AtomicLong(System.nanoTime());
    private final AtomicLong longestGapNanos = new AtomicLong();
    private volatile boolean stop;

    /** One client: its own ids, and every third one that the other has asked for as well. */
    private final class Load {
        final IdRegistry registry;
        final int slot;
        final AtomicLong sequence = new AtomicLong();
        final CompletableFuture<?> done;

        Load(IdRegistry registry, int slot) {
            this.registry = registry;
            this.slot = slot;
            List<CompletableFuture<?>> clients = new ArrayList<>();
            for (int client = 0; client < IN_FLIGHT; client++) {
                CompletableFuture<Void> end = new CompletableFuture<>();
                clients.add(end);
                next(end);
            }
            done = CompletableFuture.allOf(clients.toArray(CompletableFuture[]::new));
        }

        private void next(CompletableFuture<Void> end) {
            if (stop) {
                end.complete(null);
                return;
            }
            CommitBatch.Builder batch = CommitBatch.builder(BATCH);
            for (int i = 0; i < BATCH; i++) {
                batch.add(nextId(), new CommitToken(slot, 1, sequence.incrementAndGet()));
            }
            ask(batch.build(), end);
        }

        /**
         * Ids divisible by 3 are everybody's: the other client makes the same from its own time.
         */
        private EventId nextId() {
            long n = nextMicros.getAndIncrement();
            return n % 3 == 0 ? new EventId(n / 6 * 6, 9, n / 6, 9) : new EventId(n, slot, n, 1);
        }

        /** Until every answer is definite, each with the same token. */
        private void ask(CommitBatch batch, CompletableFuture<Void> end) {
            registry.commit(batch, PATIENCE)
                    .whenComplete(
                            (outcomes, failure) -> {
                                if (failure != null) {
                                    wrong.add(failure.toString());
                                    end.complete(null);
                                    return;
                                }
                                CommitBatch.Builder again = CommitBatch.builder(BATCH);
                                for (int i = 0; i < batch.size(); i++) {
                                    EventId id = batch.ids().get(i);
                                    if (!definite(id, batch.token(i), outcomes.get(i))) {
                                        again.add(id, batch.token(i));
                                    }
                                }
                                if (again.size() > 0) {
                                    ask(again.build(), end);
                                } else {
                                    next(end);
                                }
                            });
        }

        private boolean definite(EventId id, CommitToken token, CommitOutcome outcome) {
            if (!(outcome instanceof Decided decided)) {
                return false;
            }
            long now = System.nanoTime();
            long gap = now - lastAnswerNanos.getAndSet(now);
            longestGapNanos.accumulateAndGet(gap, Math::max);
            answered.incrementAndGet();
            if (decided.isAccepted()) {
                CommitToken other = accepted.putIfAbsent(id, token);
                if (other != null && !other.equals(token)) {
                    wrong.add(id + " is " + other + "'s and " + token + "'s");
                }
            } else if (decided.result() == CommitResult.TAKEN) {
                taken.incrementAndGet();
            } else {
                wrong.add(id + ": " + decided);
            }
            return true;
        }
    }

    private void awaitAnswers(long more) {
        long enough = answered.get() + more;
        TestRegistry.await(() -> answered.get() >= enough || !wrong.isEmpty(), ANSWERS_SECONDS_MAX);
    }

    /** The start lies a little ahead of the ids that come now. */
    private void reshard(TestClient operator, long version, int shards, String nonce) {
        longestGapNanos.set(0);
        long begun = System.nanoTime();
        long decided;
        for (int attempt = 0; ; attempt++) {
            long start = nextMicros.get() + (10_000L << attempt);
            var result = operator.reshard(version, shards, start, nonce + attempt);
            if (result.end() == End.COMMITTED) {
                decided = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
                break;
            }
            assertThat(attempt).as("attempts, the last: %s", result).isLessThan(8);
        }
        awaitAnswers(20_000);
        LOG.warn(
                "Reshard to {}: decided after {} ms, longest time without an answer {} ms",
                shards,
                decided,
                TimeUnit.NANOSECONDS.toMillis(longestGapNanos.get()));
    }

    @Test
    void shardsBecomeMoreAndFewerWhileIdsFlowAndOldOnesGo() throws Exception {
        try (TestRegistry servers = new TestRegistry(root)) {
            servers.startAll();
            BugHandler bugs = (where, bug) -> servers.bugs.add(where + ": " + bug);
            try (TestClient operator = new TestClient(servers, "load", 2);
                    GrpcIdRegistry east =
                            GrpcIdRegistry.connect(
                                    servers.services(), "load", IdRegistry.Options.DEFAULTS, bugs);
                    GrpcIdRegistry west =
                            GrpcIdRegistry.connect(
                                    servers.services(),
                                    "load",
                                    IdRegistry.Options.DEFAULTS,
                                    bugs)) {
                Load one = new Load(east.registry().get(60, TimeUnit.SECONDS), 1);
                Load two = new Load(west.registry().get(60, TimeUnit.SECONDS), 2);
                awaitAnswers(10_000);
                reshard(operator, 1, 8, "a");
                reshard(operator, 2, 4, "b");
                stop = true;
                one.done.get(60, TimeUnit.SECONDS);
                two.done.get(60, TimeUnit.SECONDS);
                assertThat(wrong).isEmpty();
                assertThat(taken.get()).isGreaterThan(answered.get() / 20);
                oldGroupsGo(servers, operator);
            }
            assertThat(servers.bugs).isEmpty();
        }
    }

    /** Of the server that is away, too, when it comes back. */
    private void oldGroupsGo(TestRegistry servers, TestClient operator) {
        EventId old = accepted.keySet().stream().min(EventId::compareTo).orElseThrow();
        int away = 2;
        servers.stop(away);
        operator.keepFrom(nextMicros.get());
        for (int n = 0; n < TestRegistry.SERVERS; n++) {
            if (n != away) {
                awaitGone(n, operator.pipeline);
            }
        }
        assertThat(directory(away, operator.pipeline, new Shard(1, 0))).exists();
        var fenced = operator.fence(operator.register("east/joiner-0", "07"));
        assertThat(fenced).as("groups that are there").hasSize(4);
        assertThat(
                        operator.commit(
                                new photon.registry.api.RegistryClient.Commit(
                                        old, new CommitToken(3, 1, 1))))
                .as("by a client whose map is old")
                .containsExactly(CommitResult.ID_TOO_OLD);
        servers.start(away);
        awaitGone(away, operator.pipeline);
    }

    private static List<Shard> allShards() {
        List<Shard> all = new ArrayList<>();
        int[] counts = {2, 8, 4};
        for (int epoch = 1; epoch <= counts.length; epoch++) {
            for (int shard = 0; shard < counts[epoch - 1]; shard++) {
                all.add(new Shard(epoch, shard));
            }
        }
        return all;
    }

    private Path directory(int server, UUID pipeline, Shard shard) {
        return root.resolve("r" + server)
                .resolve("raft")
                .resolve(GroupIds.shard(pipeline, shard.epoch(), shard.number()).toString());
    }

    private void awaitGone(int server, UUID pipeline) {
        List<Shard> old = allShards().stream().filter(shard -> shard.epoch() < 3).toList();
        Path removed = root.resolve("r" + server).resolve("removed");
        for (Shard shard : old) {
            Path directory = directory(server, pipeline, shard);
            TestRegistry.await(
                    () ->
                            !Files.exists(directory)
                                    && !Files.exists(removed.resolve(directory.getFileName())),
                    GONE_SECONDS_MAX);
        }
    }
}
