package photon.testbed.history;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import photon.core.id.EventId;
import photon.core.loop.ThreadLoop;
import photon.core.rpc.HostPort;
import photon.core.rpc.ProcessRpcs;
import photon.idregistry.raft.GroupIds;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.ShardMap;
import photon.registry.client.GrpcRegistry;
import photon.registry.client.GrpcRegistryTransport;
import photon.registry.client.RegistryConnection;

/** A cluster, its callers and its nemesis, from the first process to the verdict. */
final class HistoryRun implements AutoCloseable {
    private static final long SNAPSHOT_LOG_BYTES = 128 << 10;
    private static final int CONNECTIONS = 3;
    private static final int CALLERS = 48;

    /** So that what is asked takes as long as the nemesis needs, and not much longer. */
    private static final double SECONDS_OF_OPERATIONS = 60;

    /** A slot of nobody's, whose fence only marks a place in the log. */
    private static final int MARK_SLOT = 999;

    private static final int LOOKUP_MAX = 1_000;
    private static final long ANSWER_SECONDS_MAX = 120;
    private static final int LAST_LINES = 40;

    /** More arguments of the replicas' Java VMs, to see more of what they do. */
    private static final List<String> JAVA_ARGUMENTS =
            List.of(System.getProperty("photon.history.java", "").split(" ")).stream()
                    .filter(argument -> !argument.isEmpty())
                    .toList();

    private final Cluster cluster;
    private final Random random;
    private final ThreadLoop loop;
    private final ConcurrentLinkedQueue<String> bugs = new ConcurrentLinkedQueue<>();
    private final Recorder recorder = new Recorder();
    private final List<GrpcRegistryTransport> transports = new ArrayList<>();
    private final List<ShardCalls> callers = new ArrayList<>();
    private final List<Shard> shards;
    private final UUID pipeline;
    private final Keys keys;

    /**
     * What came of it.
     *
     * @param differences between what replicas hold
     * @param checkMillis how long the checker took
     */
    record Outcome(
            List<LinearizabilityViolation> violations,
            List<String> differences,
            long operations,
            double contestedPercent,
            int fences,
            Map<Operation.Result, Integer> results,
            Map<Nemesis.Fault, Integer> faults,
            Workload.Tally tally,
            long runMillis,
            long checkMillis,
            List<String> story) {
        @Override
        public String toString() {
            return "%,d operations in %.1f s, %.0f %% on contested ids, %d fences, %s; %s; faults %s; checked in %d ms; %d violations, %s"
                    .formatted(
                            operations,
                            runMillis / 1e3,
                            contestedPercent,
                            fences,
                            results,
                            tally,
                            faults,
                            checkMillis,
                            violations.size(),
                            String.join("; ", story));
        }
    }

    private HistoryRun(Cluster cluster, Random random, int shardCount) {
        this.cluster = cluster;
        this.random = random;
        this.loop = new ThreadLoop("history", 1_000, (where, bug) -> bugs.add(text(where, bug)));
        this.pipeline = openPipeline(shardCount);
        ShardMap map = ShardMap.initial(shardCount);
        this.shards = map.lastShards();
        this.keys =
                new Keys(random, map, TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis()));
        for (int i = 0; i < CONNECTIONS; i++) {
            GrpcRegistryTransport transport = new GrpcRegistryTransport(loop, new ProcessRpcs());
            transports.add(transport);
            callers.add(
                    new ShardCalls(
                            random, pipeline, cluster.services(), transport, recorder, shards));
        }
    }

    private static String text(String where, Throwable bug) {
        java.io.StringWriter text = new java.io.StringWriter();
        bug.printStackTrace(new java.io.PrintWriter(text));
        return where + ": " + text;
    }

    static HistoryRun start(Path directory, int replicas, int shards, long seed) throws Exception {
        Random random = new Random(seed);
        Cluster cluster =
                new Cluster(
                        directory,
                        replicas,
                        SNAPSHOT_LOG_BYTES,
                        new Random(),
                        replica -> JAVA_ARGUMENTS);
        try {
            cluster.startAll();
            cluster.awaitAllServing();
            return new HistoryRun(cluster, random, shards);
        } catch (Exception | Error e) {
            cluster.close();
            throw e;
        }
    }

    private UUID openPipeline(int shardCount) {
        UUID wanted = UUID.nameUUIDFromBytes(new byte[] {1});
        CompletableFuture<RegistryConnection> connection = new CompletableFuture<>();
        UUID opened =
                ask(() -> {
                            RegistryConnection made =
                                    GrpcRegistry.connect(
                                            loop,
                                            cluster.services(),
                                            "history",
                                            new ProcessRpcs(),
                                            new Random(1));
                            connection.complete(made);
                            return made.control().openPipeline("history", wanted, "f", shardCount);
                        })
                        .uuid();
        loop.execute(() -> connection.join().close());
        return opened;
    }

    private <T> T ask(Supplier<CompletableFuture<T>> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        loop.execute(() -> question.get().thenAccept(answer::complete));
        return answer.orTimeout(ANSWER_SECONDS_MAX, TimeUnit.SECONDS).join();
    }

    /** Asks again and again until it was decided. */
    private void untilDecided(Consumer<Consumer<Boolean>> question) {
        ask(
                () -> {
                    CompletableFuture<Void> decided = new CompletableFuture<>();
                    again(question, decided);
                    return decided.thenApply(nothing -> true);
                });
    }

    private void again(Consumer<Consumer<Boolean>> question, CompletableFuture<Void> decided) {
        question.accept(
                yes -> {
                    if (yes) {
                        decided.complete(null);
                    } else {
                        loop.schedule(Duration.ofMillis(50), () -> again(question, decided));
                    }
                });
    }

    /** An index at or behind all that is in the shard's log now. */
    private long mark(Shard shard) {
        CompletableFuture<Long> index = new CompletableFuture<>();
        untilDecided(done -> callers.get(0).fence(shard, MARK_SLOT, 1, index::complete, done));
        return index.join();
    }

    private int leader(Shard shard) {
        HostPort leader = callers.get(0).leader(shard).answered();
        return leader == null ? 0 : cluster.services().indexOf(leader);
    }

    Outcome until(long operations, Duration atLeast) throws Exception {
        // Whoever is at first asked knows the shards only in a moment.
        shards.forEach(this::mark);
        Workload workload =
                new Workload(
                        loop,
                        random,
                        keys,
                        callers,
                        shards,
                        recorder,
                        operations / SECONDS_OF_OPERATIONS);
        long start = System.nanoTime();
        workload.start(CALLERS);
        Shard watched = shards.get(0);
        Nemesis nemesis =
                new Nemesis(
                        cluster,
                        new Random(random.nextLong()),
                        GroupIds.shard(pipeline, watched.epoch(), watched.number()),
                        () -> leader(watched),
                        () -> mark(watched),
                        workload.tally());
        while (nemesis.hasMore()
                || System.nanoTime() - start < atLeast.toNanos()
                || count() < operations) {
            checkSound();
            nemesis.once();
        }
        ask(workload::stop);
        checkSound();
        long runMillis = (System.nanoTime() - start) / 1_000_000;
        List<String> differences = differences();
        lookUpAll();
        checkSound();
        long checkStart = System.nanoTime();
        List<LinearizabilityViolation> violations = recorder.check();
        return new Outcome(
                violations,
                differences,
                recorder.count(),
                recorder.contestedPercent(),
                recorder.fenceCount(),
                recorder.results(),
                nemesis.done(),
                workload.tally(),
                runMillis,
                (System.nanoTime() - checkStart) / 1_000_000,
                nemesis.story());
    }

    private List<String> differences() {
        ReplicaComparison comparison =
                new ReplicaComparison(cluster.services(), loop, transports.get(0), pipeline);
        List<String> differences = new ArrayList<>();
        for (Shard shard : shards) {
            ReplicaComparison.Compared compared;
            try {
                compared = comparison.compare(shard, mark(shard));
            } catch (IllegalStateException e) {
                checkSound();
                throw new IllegalStateException(e.getMessage() + "\n" + cluster.messages(), e);
            }
            differences.addAll(compared.differences());
            if (compared.held().isEmpty()) {
                differences.add("no replica holds anything in " + shard);
            }
        }
        return differences;
    }

    private long count() {
        return ask(() -> CompletableFuture.completedFuture(recorder.count()));
    }

    /** Between two faults all replicas run, and no part has met a bug. */
    private void checkSound() {
        if (!bugs.isEmpty()) {
            throw new AssertionError(bugs + "\n" + cluster.messages());
        }
        for (int i = 0; i < cluster.size(); i++) {
            if (!cluster.replica(i).isAlive()) {
                throw new AssertionError(
                        "Expected %s to run, but it has ended with status %d. Its last words: %s%n%s"
                                .formatted(
                                        Cluster.name(i),
                                        cluster.replica(i).exitStatus(),
                                        cluster.replica(i).said(),
                                        lastLines(cluster.stderr(i))));
            }
        }
    }

    private static String lastLines(String text) {
        List<String> lines = text.lines().toList();
        return String.join(
                "\n", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
    }

    /** What is held at the end must follow from all that was said before. */
    private void lookUpAll() {
        for (Shard shard : shards) {
            List<EventId> ids =
                    recorder.operations(shard).stream().map(Operation::id).distinct().toList();
            for (int from = 0; from < ids.size(); from += LOOKUP_MAX) {
                List<EventId> page = ids.subList(from, Math.min(ids.size(), from + LOOKUP_MAX));
                untilDecided(
                        done ->
                                callers.get(0)
                                        .lookupAt(
                                                Objects.requireNonNull(
                                                        callers.get(0).leader(shard).answered()),
                                                shard,
                                                page,
                                                true,
                                                done));
            }
        }
    }

    String messages() {
        return cluster.messages();
    }

    @Override
    public void close() throws IOException {
        ask(
                () -> {
                    transports.forEach(GrpcRegistryTransport::close);
                    return CompletableFuture.completedFuture(true);
                });
        loop.close();
        cluster.close();
    }
}
