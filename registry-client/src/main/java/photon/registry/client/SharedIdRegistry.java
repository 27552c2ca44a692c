package photon.registry.client;

import static photon.core.error.Checks.check;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.proto.v1.DescribePipelineResponse;
import photon.proto.v1.ShardLeader;
import photon.proto.v1.ShardRef;
import photon.registry.api.CommitBatch;
import photon.registry.api.CommitOutcome;
import photon.registry.api.CommitOutcomes;
import photon.registry.api.IdBatch;
import photon.registry.api.IdRegistry;
import photon.registry.api.LookupAnswers;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.RegistryProtos;

/**
 * A client for many threads, on the parts that one loop owns: {@link MergedCommits}, {@link
 * SharedLookups}, {@link SharedScans}. All but the hand-over is decided in that loop.
 */
final class SharedIdRegistry implements IdRegistry {
    /** Of whoever waits for a close, beyond what the drain may take. */
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(10);

    private final Options options;
    private final Asking asking;
    private final Calls calls;
    private final MergedCommits commits;
    private final SharedLookups lookups;
    private final SharedScans scans;
    private @Nullable CompletableFuture<Void> closing;

    /**
     * Made in the loop.
     *
     * @param asking this client's alone: it is closed with it
     * @param described what a server answered; it must know the pipeline
     */
    SharedIdRegistry(
            Asking asking, Leaders leaders, DescribePipelineResponse described, Options options) {
        this.options = options;
        this.asking = asking;
        UUID pipeline =
                java.util.Objects.requireNonNull(
                        RegistryProtos.uuid(described.getPipeline().getUuid()), "uuid");
        for (ShardLeader known : described.getLeadersList()) {
            leaders.of(known.getShard()).hint(known.getLeader());
        }
        CommitLane.Limits limits =
                new CommitLane.Limits(options.idsPerRequestMax(), options.requestsInFlightMax());
        this.calls = new Calls(asking.loop, this::dropEnded);
        this.commits =
                new MergedCommits(
                        options,
                        calls,
                        photon.registry.api.ShardMap.of(described.getPipeline().getMap()),
                        (Shard shard, CommitLane.Router router) -> {
                            ShardRef group = RegistryProtos.shardRef(pipeline, shard);
                            return new CommitLane(asking, leaders.of(group), group, limits, router);
                        });
        Nearest nearest = new Nearest(asking, leaders.servers());
        MapRenewal renewal =
                new MapRenewal(asking, leaders, described.getPipeline(), commits::mapHeard);
        this.lookups =
                new SharedLookups(asking, pipeline, options, calls, commits, renewal, nearest);
        this.scans =
                new SharedScans(asking, pipeline, nearest, renewal, () -> commits.routing().map());
    }

    private void dropEnded() {
        commits.dropEnded();
    }

    @Override
    public CompletableFuture<CommitOutcome> commit(
            EventId id, CommitToken token, Duration timeout) {
        return commits.commit(id, token, timeout);
    }

    @Override
    public CompletableFuture<CommitOutcomes> commit(CommitBatch batch, Duration timeout) {
        return commits.commit(batch, timeout);
    }

    @Override
    public CompletableFuture<LookupAnswers> lookup(
            IdBatch ids, Freshness freshness, Duration timeout) {
        return lookups.lookup(ids, freshness, timeout);
    }

    @Override
    public CompletableFuture<Long> scan(Scan what, PageReader pages, Duration pageTimeout) {
        CompletableFuture<Long> result = new CompletableFuture<>();
        if (calls.isClosing()) {
            result.completeExceptionally(
                    new photon.registry.api.RegistryUnavailableException("The client is closed"));
            return result;
        }
        asking.loop.execute(() -> scans.begin(what, pages, pageTimeout, result));
        return result;
    }

    @Override
    public long boundaryMicros() {
        return commits.boundaryMicros();
    }

    @Override
    public long outstandingIds() {
        return commits.outstandingIds();
    }

    /** As {@link #close(Duration)}, without waiting. */
    synchronized CompletableFuture<Void> closing(Duration drain) {
        if (closing == null) {
            closing = calls.close(drain, this::ended);
        }
        return closing;
    }

    /** In the loop, once. */
    private void ended() {
        scans.close();
        asking.close();
        commits.wakeWaiting();
        lookups.wakeWaiting();
    }

    @Override
    public void close(Duration drain) {
        check(!calls.isInLoop(), "Expected a close from another thread than the client's own");
        try {
            closing(drain).get(drain.plus(CLOSE_PATIENCE).toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("Closing the registry's client failed", e);
        }
    }

    @Override
    public void close() {
        close(options.drain());
    }
}
