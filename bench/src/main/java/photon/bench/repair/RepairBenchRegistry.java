package photon.bench.repair;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.registry.api.ControlClient;
import photon.registry.api.RegistryClient.Commit;
import photon.registry.api.RegistryClient.Shard;

/**
 * Answers for a registry of four shards, from this process: that one incarnation is open and
 * fenced, and what its tokens hold. The time that a real registry takes to scan is not in it. Scans
 * are answered in a thread of its own, as a client's answers come from the threads of its
 * connections.
 */
final class RepairBenchRegistry implements ControlClient {
    private static final int SHARDS = 4;

    private final RepairBenchEvents events;
    private final ExecutorService scans = Executors.newSingleThreadExecutor();
    private final AtomicLong scanned = new AtomicLong();
    private volatile IncarnationState state = IncarnationState.OPEN;

    RepairBenchRegistry(RepairBenchEvents events) {
        this.events = events;
    }

    /** Ids that were handed out. */
    long scanned() {
        return scanned.get();
    }

    @Override
    public CompletableFuture<List<IncarnationInfo>> incarnations(UUID pipeline, String slotPrefix) {
        return CompletableFuture.completedFuture(
                List.of(
                        new IncarnationInfo(
                                RepairBenchEvents.DEAD,
                                slotPrefix + "joiner-0",
                                state,
                                true,
                                "host:1",
                                1,
                                1,
                                "bench-output")));
    }

    @Override
    public CompletableFuture<List<Fenced>> fence(UUID pipeline, Incarnation incarnation) {
        List<Fenced> groups = new ArrayList<>();
        for (int i = 0; i < SHARDS; i++) {
            groups.add(new Fenced(new Shard(1, i), 1));
        }
        return CompletableFuture.completedFuture(groups);
    }

    @Override
    public CompletableFuture<SilentFence> fenceSilent(
            UUID pipeline, Incarnation incarnation, Silence seen) {
        throw new UnsupportedOperationException("Only repairs are measured");
    }

    @Override
    public CompletableFuture<ScanPage> scan(
            UUID pipeline,
            Fenced group,
            Incarnation incarnation,
            @Nullable EventId after,
            int limit) {
        return CompletableFuture.supplyAsync(() -> page(group.shard(), after, limit), scans);
    }

    private ScanPage page(Shard shard, @Nullable EventId after, int limit) {
        List<Commit> page = new ArrayList<>(limit);
        long n = after == null ? 0 : RepairBenchEvents.behind(after);
        n += Math.floorMod(shard.number() - n, (long) SHARDS);
        for (; n < events.events() && page.size() < limit; n += SHARDS) {
            page.add(new Commit(RepairBenchEvents.id(n), RepairBenchEvents.token(n)));
        }
        scanned.addAndGet(page.size());
        return new ScanPage(page, n < events.events(), Long.MIN_VALUE);
    }

    @Override
    public CompletableFuture<IncarnationState> markRepaired(
            UUID pipeline, Incarnation incarnation, Repair repair) {
        state = IncarnationState.REPAIRED;
        return CompletableFuture.completedFuture(state);
    }

    @Override
    public CompletableFuture<Pipeline> openPipeline(
            String name, UUID uuid, String identityFingerprint, int shards, Duration retention) {
        throw new UnsupportedOperationException("Only repairs are measured");
    }

    @Override
    public CompletableFuture<Incarnation> register(Registration registration) {
        throw new UnsupportedOperationException("Only repairs are measured");
    }

    @Override
    public CompletableFuture<Renewed> renew(
            UUID pipeline, Incarnation incarnation, long holdMicros, Duration every) {
        throw new UnsupportedOperationException("Only repairs are measured");
    }

    @Override
    public CompletableFuture<IncarnationState> closeClean(UUID pipeline, Incarnation incarnation) {
        throw new UnsupportedOperationException("Only repairs are measured");
    }

    @Override
    public void close() {
        scans.shutdown();
    }
}
