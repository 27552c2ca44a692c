package photon.dispatcher.flow;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.loop.EventLoop;
import photon.registry.api.RegistryClient;
import photon.registry.api.RegistryUnavailableException;

/** A registry replica's local answers, as stale or as silent as the test wants. */
public final class FakeRegistry implements RegistryClient {
    private final EventLoop loop;
    final Set<EventId> known = new HashSet<>();
    final Set<EventId> unmatched = new HashSet<>();
    final Set<EventId> asked = new HashSet<>();
    boolean available = true;
    boolean bug;
    boolean everythingIsKnown;
    long boundaryMicros = Long.MIN_VALUE;
    int questions;
    int idsAMaximum;

    public FakeRegistry(EventLoop loop) {
        this.loop = loop;
    }

    @Override
    public CompletableFuture<List<Found>> lookupLocal(List<EventId> ids) {
        questions++;
        idsAMaximum = Math.max(idsAMaximum, ids.size());
        asked.addAll(ids);
        CompletableFuture<List<Found>> answer = new CompletableFuture<>();
        loop.execute(
                () -> {
                    if (bug) {
                        answer.completeExceptionally(new ArithmeticException("a bug"));
                    } else if (available) {
                        answer.complete(ids.stream().map(this::find).toList());
                    } else {
                        answer.completeExceptionally(new RegistryUnavailableException("silent"));
                    }
                });
        return answer;
    }

    @Override
    public CompletableFuture<List<Found>> lookupLinearizable(List<EventId> ids) {
        throw new UnsupportedOperationException("a dispatcher does not wait for a majority");
    }

    private Found find(EventId id) {
        if (id.micros() < boundaryMicros) {
            return new Found(Found.State.TOO_OLD, null);
        }
        if (unmatched.contains(id)) {
            return new Found(Found.State.HELD, new CommitToken(3, 1, 8).asUnmatched());
        }
        return new Found(
                everythingIsKnown || known.contains(id) ? Found.State.HELD : Found.State.ABSENT,
                null);
    }

    @Override
    public long boundaryMicros() {
        return boundaryMicros;
    }

    @Override
    public void commit(List<Commit> batch, CommitListener asked) {
        throw new UnsupportedOperationException("a dispatcher commits nothing");
    }

    @Override
    public CompletableFuture<List<RemoveResult>> remove(List<Commit> batch) {
        throw new UnsupportedOperationException("a dispatcher removes nothing");
    }

    @Override
    public CompletableFuture<List<CancelResult>> cancel(List<Commit> batch) {
        throw new UnsupportedOperationException("a dispatcher cancels nothing");
    }

    @Override
    public List<Shard> shards() {
        throw new UnsupportedOperationException("a dispatcher does not route");
    }

    @Override
    public Shard shardOf(EventId id) {
        throw new UnsupportedOperationException("a dispatcher does not route");
    }

    @Override
    public void close() {}
}
