package photon.bench.registry;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.registry.api.CommitBatch;
import photon.registry.api.CommitOutcome;
import photon.registry.api.CommitOutcomes;
import photon.registry.api.IdBatch;
import photon.registry.api.IdRegistry;
import photon.registry.api.LookupAnswers;

/** Commits are answered by the test, by hand. Thread-safe. */
final class FakeIdRegistry implements IdRegistry {
    /** One id of a call, and what it is to be answered. */
    record Asked(EventId id, CommitToken token) {}

    /** A call that waits for its answer. */
    record Waiting(List<Asked> asked, CompletableFuture<CommitOutcomes> future) {}

    private final List<Waiting> waiting = new ArrayList<>();

    synchronized List<Waiting> take() {
        List<Waiting> taken = List.copyOf(waiting);
        waiting.clear();
        return taken;
    }

    synchronized int waiting() {
        return waiting.size();
    }

    private synchronized CompletableFuture<CommitOutcomes> hold(List<Asked> asked) {
        Waiting held = new Waiting(asked, new CompletableFuture<>());
        waiting.add(held);
        return held.future();
    }

    @Override
    public CompletableFuture<CommitOutcome> commit(EventId id, CommitToken token, Duration bound) {
        return hold(List.of(new Asked(id, token))).thenApply(outcomes -> outcomes.get(0));
    }

    @Override
    public CompletableFuture<CommitOutcomes> commit(CommitBatch batch, Duration timeout) {
        List<Asked> asked = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            asked.add(new Asked(batch.ids().get(i), batch.token(i)));
        }
        return hold(asked);
    }

    /** Outcomes in order. */
    record Outcomes(List<CommitOutcome> all) implements CommitOutcomes {
        @Override
        public int size() {
            return all.size();
        }

        @Override
        public boolean isAccepted(int i) {
            return all.get(i).isAccepted();
        }

        @Override
        public CommitOutcome get(int i) {
            return all.get(i);
        }

        @Override
        public int accepted() {
            return (int) all.stream().filter(CommitOutcome::isAccepted).count();
        }

        @Override
        public int unknown() {
            return (int) all.stream().filter(CommitOutcome.Unknown.class::isInstance).count();
        }

        @Override
        public int notSubmitted() {
            return (int) all.stream().filter(CommitOutcome.NotSubmitted.class::isInstance).count();
        }
    }

    @Override
    public CompletableFuture<LookupAnswers> lookup(
            IdBatch ids, Freshness freshness, Duration timeout) {
        throw new UnsupportedOperationException("Only commits");
    }

    @Override
    public CompletableFuture<Long> scan(Scan what, PageReader pages, Duration pageTimeout) {
        throw new UnsupportedOperationException("Only commits");
    }

    @Override
    public long boundaryMicros() {
        return Long.MIN_VALUE;
    }

    @Override
    public long outstandingIds() {
        return 0;
    }

    @Override
    public void close(Duration drain) {}

    @Override
    public void close() {}
}
