package photon.registry.client;

import static photon.core.error.Checks.check;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.registry.api.CommitBatch;
import photon.registry.api.CommitOutcome;
import photon.registry.api.CommitOutcomes;
import photon.registry.api.IdBatch;
import photon.registry.api.IdRegistry;
import photon.registry.api.LookupAnswers;
import photon.registry.api.RegistryUnavailableException;

/**
 * Hands calls of any thread to a {@link ShardRouter} in its loop, many with one task of the loop,
 * and bounds how many ids are under way. All else is the router's.
 */
final class SharedIdRegistry implements IdRegistry {
    private static final CommitCall.Listener NOBODY = (place, code, holders, at) -> {};

    /** How long a close waits for the loop, beyond what the drain may take. */
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(10);

    /** What a caller means who gives more: a sum of nanoseconds must not overflow. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private final ShardRouter router;
    private final Options options;
    private final Room commitRoom;
    private final Room lookupRoom;
    private final Thread loopThread = Thread.currentThread();
    private final Queue<Call<?>> arrived = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean loopTold = new AtomicBoolean();
    private volatile boolean closing;
    private volatile boolean ended;
    private @Nullable CompletableFuture<Void> closed;

    /** Made in the router's loop. */
    SharedIdRegistry(ShardRouter router, Options options) {
        this.router = router;
        this.options = options;
        this.commitRoom = new Room(options.outstandingMax(), options.whenFull());
        this.lookupRoom = new Room(options.lookupsOutstandingMax(), options.whenFull());
    }

    @Override
    public CompletableFuture<CommitOutcome> commit(
            EventId id, CommitToken token, Duration timeout) {
        CommitBatch one = CommitBatch.builder(1).add(id, token).build();
        return commit(one, timeout).thenApply(outcomes -> outcomes.get(0));
    }

    @Override
    public CompletableFuture<CommitOutcomes> commit(CommitBatch batch, Duration timeout) {
        int ids = batch.size();
        check(
                ids <= options.outstandingMax(),
                "Expected a batch of at most %s ids, but got %s",
                options.outstandingMax(),
                ids);
        long deadline = deadline(timeout);
        byte refusal = take(commitRoom, ids, deadline);
        if (refusal != Outcomes.WAITING || ids == 0) {
            return CompletableFuture.completedFuture(PackedOutcomes.all(ids, refusal));
        }
        return put(new CommitCall(batch, deadline, NOBODY, commitRoom::release));
    }

    @Override
    public CompletableFuture<LookupAnswers> lookup(
            IdBatch ids, Freshness freshness, Duration timeout) {
        check(
                ids.size() <= options.lookupsOutstandingMax(),
                "Expected at most %s ids, but got %s",
                options.lookupsOutstandingMax(),
                ids.size());
        long deadline = deadline(timeout);
        byte refusal = take(lookupRoom, ids.size(), deadline);
        if (refusal != Outcomes.WAITING) {
            byte why = refusal == Outcomes.DEADLINE ? Outcomes.NO_ROOM : refusal;
            return CompletableFuture.failedFuture(LookupCall.failure(why));
        }
        LookupCall call = new LookupCall(ids, freshness, deadline, lookupRoom::release);
        return ids.size() == 0 ? CompletableFuture.completedFuture(call) : put(call);
    }

    private long deadline(Duration timeout) {
        Duration bounded = timeout.compareTo(LONGEST) > 0 ? LONGEST : timeout;
        return router.loop().nanoTime() + bounded.toNanos();
    }

    private byte take(Room room, int ids, long deadline) {
        if (closing) {
            return Outcomes.CLOSED;
        }
        long nanos = Math.max(0, deadline - router.loop().nanoTime());
        return room.take(ids, nanos, Thread.currentThread() != loopThread);
    }

    private <T> CompletableFuture<T> put(Call<T> call) {
        if (closing) {
            // It has waited for room meanwhile.
            call.giveUp(Outcomes.CLOSED);
            return call;
        }
        arrived.add(call);
        if (ended) {
            // The loop may have looked for the last time.
            turnAwayArrived();
        } else if (loopTold.compareAndSet(false, true)) {
            router.loop().execute(this::takeIn);
        }
        return call;
    }

    private void takeIn() {
        loopTold.set(false);
        if (ended) {
            return;
        }
        for (Call<?> call = arrived.poll(); call != null; call = arrived.poll()) {
            router.begin(call);
        }
    }

    private void turnAwayArrived() {
        for (Call<?> call = arrived.poll(); call != null; call = arrived.poll()) {
            call.giveUp(Outcomes.CLOSED);
        }
    }

    @Override
    public CompletableFuture<Long> scan(Scan what, PageReader pages, Duration pageTimeout) {
        CompletableFuture<Long> result = new CompletableFuture<>();
        if (closing) {
            result.completeExceptionally(new RegistryUnavailableException("The client is closed"));
        } else {
            router.loop().execute(() -> scanNow(what, pages, pageTimeout, result));
        }
        return result;
    }

    private void scanNow(
            Scan what, PageReader pages, Duration pageTimeout, CompletableFuture<Long> result) {
        if (ended) {
            result.completeExceptionally(new RegistryUnavailableException("The client is closed"));
        } else {
            router.scan(what, pages, pageTimeout, result);
        }
    }

    @Override
    public long boundaryMicros() {
        return router.boundaryMicros();
    }

    @Override
    public long outstandingIds() {
        return commitRoom.taken();
    }

    /** As {@link #close(Duration)}, without waiting. */
    synchronized CompletableFuture<Void> closing(Duration drain) {
        if (closed == null) {
            CompletableFuture<Void> end = new CompletableFuture<>();
            closed = end;
            closing = true;
            router.loop().execute(() -> drain(drain, end));
        }
        return closed;
    }

    private void drain(Duration drain, CompletableFuture<Void> end) {
        router.loop().schedule(drain, () -> end(end));
        endWhenIdle(end);
    }

    /** A call that had passed the check just before the close is waited for like all others. */
    private void endWhenIdle(CompletableFuture<Void> end) {
        takeIn();
        CompletableFuture<?>[] open =
                router.calls().stream()
                        .filter(call -> !call.isDone())
                        .toArray(CompletableFuture[]::new);
        if (open.length == 0) {
            end(end);
        } else {
            // Behind what is at hand: whoever waits for the last call hears of it first.
            CompletableFuture.allOf(open)
                    .whenComplete((all, failure) -> router.loop().execute(() -> endWhenIdle(end)));
        }
    }

    private void end(CompletableFuture<Void> end) {
        if (ended) {
            return;
        }
        ended = true;
        turnAwayArrived();
        router.calls().forEach(call -> call.giveUp(Outcomes.CLOSED));
        router.close();
        commitRoom.open();
        lookupRoom.open();
        end.complete(null);
    }

    @Override
    public void close(Duration drain) {
        check(
                Thread.currentThread() != loopThread,
                "Expected a close from another thread than the client's own");
        CompletableFuture<Void> end = closing(drain);
        try {
            end.get(drain.plus(CLOSE_PATIENCE).toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            // No more patience: all that waits is told now, since nobody would be told later.
            router.loop().execute(() -> end(end));
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
