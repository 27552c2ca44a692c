package photon.registry.client;

import static photon.core.error.Checks.check;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.registry.api.CommitBatch;
import photon.registry.api.CommitOutcome;
import photon.registry.api.CommitOutcomes;
import photon.registry.api.IdRegistry;
import photon.registry.api.IdRegistry.WhenFull;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.ShardMap;

/**
 * Commits of any thread, merged by shard. The callers' threads find the shard and take up room; the
 * loop does the rest, in a {@link CommitLane} a shard.
 */
final class MergedCommits implements CommitLane.Router {
    private final IdRegistry.Options options;
    private final Calls calls;
    private final BiFunction<Shard, CommitLane.Router, CommitLane> lanes;

    /** Of all maps that were ever heard. Used in the loop. */
    private final Map<Shard, ShardSlot> slots = new TreeMap<>();

    private volatile Routing routing;
    private volatile long boundaryMicros = Long.MIN_VALUE;

    /**
     * @param lanes makes the lane of a shard; called in the loop
     */
    MergedCommits(
            IdRegistry.Options options,
            Calls calls,
            ShardMap map,
            BiFunction<Shard, CommitLane.Router, CommitLane> lanes) {
        this.options = options;
        this.calls = calls;
        this.lanes = lanes;
        this.routing = routing(map);
    }

    private Routing routing(ShardMap map) {
        return new Routing(
                map,
                map.shards().stream()
                        .map(shard -> slots.computeIfAbsent(shard, this::slot))
                        .toList());
    }

    private ShardSlot slot(Shard shard) {
        return new ShardSlot(
                shard, new Semaphore(options.outstandingMax(), true), lanes.apply(shard, this));
    }

    /** For any thread. */
    CompletableFuture<CommitOutcome> commit(EventId id, CommitToken token, Duration timeout) {
        long deadline = calls.deadline(timeout);
        ShardSlot slot = routing.slot(id);
        SingleCommit call = new SingleCommit(calls, slot, id, token, deadline);
        byte refusal = take(slot, 1, deadline);
        if (refusal == Outcomes.WAITING) {
            calls.put(call);
        } else {
            call.complete(Outcomes.of(refusal, null));
        }
        return call;
    }

    /** For any thread. */
    CompletableFuture<CommitOutcomes> commit(CommitBatch batch, Duration timeout) {
        check(
                batch.size() <= options.outstandingMax(),
                "Expected a batch of at most %s ids, but got %s",
                options.outstandingMax(),
                batch.size());
        long deadline = calls.deadline(timeout);
        BatchCommit call = new BatchCommit(calls, batch, routing, deadline);
        if (batch.size() == 0) {
            call.refuse(Outcomes.CLOSED);
            return call;
        }
        // In order of the shards: callers that wait for each other's room would wait for ever.
        List<BatchCommit.Part> taken = new ArrayList<>();
        for (BatchCommit.Part part : call.parts()) {
            byte refusal = take(part.slot(), part.count(), deadline);
            if (refusal != Outcomes.WAITING) {
                taken.forEach(p -> p.slot().room().release(p.count()));
                call.refuse(refusal);
                return call;
            }
            taken.add(part);
        }
        calls.put(call);
        return call;
    }

    /**
     * Takes up room for so many ids.
     *
     * @return WAITING if there was room, else why not
     */
    private byte take(ShardSlot slot, int ids, long deadline) {
        if (calls.isClosing()) {
            return Outcomes.CLOSED;
        }
        // In the loop it would wait for itself.
        if (options.whenFull() == WhenFull.REFUSE || calls.isInLoop()) {
            return slot.room().tryAcquire(ids) ? Outcomes.WAITING : Outcomes.NO_ROOM;
        }
        try {
            long nanos = Math.max(0, calls.nanosUntil(deadline));
            return slot.room().tryAcquire(ids, nanos, TimeUnit.NANOSECONDS)
                    ? Outcomes.WAITING
                    : Outcomes.DEADLINE;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Outcomes.NO_ROOM;
        }
    }

    /** For any thread. */
    Routing routing() {
        return routing;
    }

    /** For any thread. */
    long boundaryMicros() {
        return boundaryMicros;
    }

    /** Ids of all shards that take up room. For any thread. */
    long outstandingIds() {
        // Slots are only added, and those of old maps are few.
        return routing.slots().stream()
                .mapToLong(
                        slot ->
                                Math.max(
                                        0,
                                        options.outstandingMax() - slot.room().availablePermits()))
                .sum();
    }

    /** Lets go what nobody waits for any more. */
    void dropEnded() {
        slots.values().forEach(slot -> slot.lane().dropEnded());
    }

    /** Whoever waits for room stops: nothing is answered any more that would give it back. */
    void wakeWaiting() {
        slots.values().forEach(slot -> slot.room().release(options.outstandingMax()));
    }

    @Override
    public void route(CommitWork work) {
        Routing by = routing;
        if (work.count() == 1) {
            by.slot(work.id(0)).lane().add(work);
            return;
        }
        Map<Shard, List<Integer>> places = new TreeMap<>();
        for (int i = 0; i < work.count(); i++) {
            Shard owner = by.slot(work.id(i)).shard();
            places.computeIfAbsent(owner, s -> new ArrayList<>()).add(i);
        }
        places.forEach(
                (shard, some) ->
                        Objects.requireNonNull(slots.get(shard))
                                .lane()
                                .add(work.at(some.stream().mapToInt(i -> i).toArray())));
    }

    @Override
    public void mapHeard(ShardMap heard) {
        if (heard.version() > routing.map().version()) {
            routing = routing(heard);
        }
    }

    @Override
    public void boundaryHeard(long heard) {
        if (heard > boundaryMicros) {
            boundaryMicros = heard;
        }
    }
}
