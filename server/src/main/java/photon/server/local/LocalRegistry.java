package photon.server.local;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import photon.core.rpc.HostPort;
import photon.core.time.Standstill;
import photon.idregistry.raft.RaftTuning;
import photon.idregistry.server.RegistryServer;
import photon.idregistry.server.config.RegistryServerConfig;
import photon.idregistry.server.config.RegistryServerConfig.Peer;
import photon.idregistry.server.counts.RegistryStats;
import photon.proto.v1.DescribeServerResponse;
import photon.proto.v1.ReplicaStatus;
import photon.proto.v1.ShardRef;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.RegistryProtos;
import photon.server.roles.Environment;
import photon.server.roles.Patience;

/** The registry of a local run: three replicas, each with its own log on disk and its own ports. */
final class LocalRegistry implements AutoCloseable {
    private static final int REPLICAS = 3;
    private static final Duration LOOK_EVERY = Duration.ofMillis(50);
    private static final Duration LOOK_EVERY_WHILE_STARTING = Duration.ofSeconds(1);

    /**
     * All three share two cores with everything else: a short pause is no reason for an election.
     */
    private static final RaftTuning TUNING =
            RaftTuning.LAN.withElection(Duration.ofSeconds(2), Duration.ofSeconds(4));

    /**
     * One begins, and the others only if nothing comes of it: replicas that start as one, in a cold
     * process, would split the votes more often than not, and wait for the next election.
     */
    private static final RaftTuning FIRST =
            TUNING.withFirstElection(Duration.ofMillis(100), Duration.ofMillis(200));

    private static final RaftTuning OTHERS =
            TUNING.withFirstElection(Duration.ofSeconds(1), Duration.ofSeconds(2));

    private final List<RegistryServer> servers = new ArrayList<>();
    private List<CompletableFuture<Void>> closing = List.of();
    private final List<HostPort> services;
    private final RegistryMilestones milestones = new RegistryMilestones();

    private LocalRegistry(List<HostPort> services) {
        this.services = services;
    }

    static LocalRegistry start(Path state, Environment environment) throws IOException {
        List<Integer> ports =
                RegistryPorts.of(state.resolve("ports.json"), 2 * REPLICAS, environment.random());
        List<Peer> peers = new ArrayList<>();
        for (int i = 0; i < REPLICAS; i++) {
            peers.add(
                    new Peer(
                            "r" + i,
                            new HostPort("127.0.0.1", ports.get(2 * i)),
                            new HostPort("127.0.0.1", ports.get(2 * i + 1))));
        }
        LocalRegistry registry = new LocalRegistry(peers.stream().map(Peer::service).toList());
        try {
            // Side by side: at the first start they wait for each other, so one that fails ends it.
            List<Thread> starters = new CopyOnWriteArrayList<>();
            AtomicReference<Throwable> first = new AtomicReference<>();
            List<CompletableFuture<RegistryServer>> starting =
                    peers.stream()
                            .map(peer -> starting(peer, peers, state, environment, starters, first))
                            .toList();
            for (CompletableFuture<RegistryServer> replica : starting) {
                try {
                    registry.servers.add(replica.join());
                } catch (CompletionException e) {
                    // Also those that began after the first had failed.
                    starters.forEach(Thread::interrupt);
                }
            }
            if (first.get() instanceof CompletionException e
                    && e.getCause() instanceof RuntimeException why) {
                throw why;
            }
            if (first.get() != null) {
                throw new IllegalStateException(first.get());
            }
            return registry;
        } catch (RuntimeException e) {
            registry.close();
            throw e;
        }
    }

    private static CompletableFuture<RegistryServer> starting(
            Peer peer,
            List<Peer> peers,
            Path state,
            Environment environment,
            List<Thread> starters,
            AtomicReference<Throwable> first) {
        return CompletableFuture.supplyAsync(
                        () -> start(peer, peers, state, environment),
                        work -> starters.add(inThread(work)))
                .whenComplete(
                        (server, e) -> {
                            if (e != null) {
                                first.compareAndSet(null, e);
                                starters.forEach(Thread::interrupt);
                            }
                        });
    }

    private static RegistryServer start(
            Peer peer, List<Peer> peers, Path state, Environment environment) {
        return RegistryServer.start(
                RegistryServerConfig.of(peer.name(), peers, state.resolve(peer.name()))
                        .with(peer.equals(peers.get(0)) ? FIRST : OTHERS),
                environment.rpcs(),
                environment.clock(),
                environment.bugs());
    }

    private static Thread inThread(Runnable work) {
        Thread thread = new Thread(work, "registry-start-or-close");
        thread.start();
        return thread;
    }

    /**
     * Every replica's address; the datacenter of this number has another one nearest than its
     * neighbour.
     */
    List<HostPort> servicesNearestTo(int datacenter) {
        List<HostPort> nearestFirst = new ArrayList<>(services);
        Collections.rotate(nearestFirst, -datacenter);
        return nearestFirst;
    }

    /**
     * Patience with it for as long as it gets on. For one thread.
     *
     * @param standstill how long nothing may move
     */
    Patience whileItMoves(Duration standstill) {
        return Patience.whileMoving(
                standstill, LOOK_EVERY_WHILE_STARTING, () -> progress(describe()));
    }

    /** What it has come to, for people, as of the last look of who waits for it. */
    String standing() {
        return milestones.standing();
    }

    private RegistryMilestones.Progress progress(List<DescribeServerResponse> described) {
        return milestones.look(
                described, ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO));
    }

    /**
     * Waits until the boundary of each shard is there or beyond: the servers move it by themselves.
     * Or as far as it may be: an incarnation of an earlier run that was killed holds it back until
     * this one has repaired it.
     *
     * @param patience how long it may stand still
     * @throws TimeoutException if it does
     */
    void awaitBoundary(UUID pipeline, List<Shard> shards, long micros, Duration patience)
            throws TimeoutException {
        Standstill standstill = new Standstill(patience, List.of(), System.nanoTime());
        long highest = Long.MIN_VALUE;
        while (true) {
            List<DescribeServerResponse> described = describe();
            long lowest = lowestBoundary(described, pipeline, shards);
            if (lowest >= Math.min(micros, limit(described, pipeline, micros))) {
                return;
            }
            highest = Math.max(highest, lowest);
            if (standstill.reached(List.of(highest, progress(described)), System.nanoTime())) {
                throw new TimeoutException("The boundary stands still at " + highest);
            }
            LockSupport.parkNanos(LOOK_EVERY.toNanos());
        }
    }

    private List<DescribeServerResponse> describe() {
        return servers.stream()
                .map(
                        server ->
                                server.describe()
                                        .completeOnTimeout(
                                                DescribeServerResponse.getDefaultInstance(),
                                                1,
                                                TimeUnit.SECONDS)
                                        .join())
                .toList();
    }

    /** How far incarnations let it come; the highest int64 unless it is wanted there by now. */
    private static long limit(
            List<DescribeServerResponse> described, UUID pipeline, long wantedMicros) {
        return described.stream()
                .flatMap(server -> server.getPipelinesList().stream())
                .filter(known -> known.getUuid().equals(RegistryProtos.bytes(pipeline)))
                .filter(known -> known.hasWantedMicros() && known.getWantedMicros() >= wantedMicros)
                .mapToLong(
                        known -> known.hasLimitMicros() ? known.getLimitMicros() : Long.MIN_VALUE)
                .max()
                .orElse(Long.MAX_VALUE);
    }

    /** What any replica has applied stands for good. The boundary has passed a dropped epoch. */
    private static long lowestBoundary(
            List<DescribeServerResponse> answers, UUID pipeline, List<Shard> shards) {
        Map<ShardRef, Long> highest = new HashMap<>();
        Set<Integer> droppedEpochs = new HashSet<>();
        for (DescribeServerResponse described : answers) {
            described.getPipelinesList().stream()
                    .filter(known -> known.getUuid().equals(RegistryProtos.bytes(pipeline)))
                    .flatMap(known -> known.getDroppedEpochsList().stream())
                    .forEach(epoch -> droppedEpochs.add(epoch.getNumber()));
            for (ReplicaStatus replica : described.getReplicasList()) {
                highest.merge(
                        replica.getShard(), replica.getState().getBoundaryMicros(), Math::max);
            }
        }
        return shards.stream()
                .filter(shard -> !droppedEpochs.contains(shard.epoch()))
                .mapToLong(
                        shard ->
                                highest.getOrDefault(
                                        RegistryProtos.shardRef(pipeline, shard), Long.MIN_VALUE))
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** Summed over the replicas: only leaders submit entries. */
    double idsPerCommitEntry() {
        long entries = 0;
        long ids = 0;
        for (RegistryServer server : servers) {
            RegistryStats stats = server.stats();
            entries += stats.commitEntries();
            ids += stats.committedIds();
        }
        return entries == 0 ? 0 : (double) ids / entries;
    }

    /**
     * The process ends next: begins to close the files. {@link #close} waits until they are, and
     * leaves connections to the end of the process.
     */
    void beginEnd() {
        beginClose(RegistryServer::closeFiles);
    }

    private void beginClose(Consumer<RegistryServer> how) {
        if (closing.isEmpty()) {
            closing =
                    servers.stream()
                            .map(
                                    server ->
                                            CompletableFuture.runAsync(
                                                    () -> how.accept(server),
                                                    LocalRegistry::inThread))
                            .toList();
        }
    }

    @Override
    public void close() {
        beginClose(RegistryServer::close);
        closing.forEach(CompletableFuture::join);
    }
}
