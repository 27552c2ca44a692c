package photon.verifier.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.registry.api.RegistryClient;
import photon.registry.api.RegistryClient.Found;

class IdHoldersTest {
    private static final EventId ID = new EventId(1_000, 1, 7, 1);
    private static final Found STALE =
            new Found(Found.State.HELD, CommitToken.of(new Incarnation(1, 1), 1));
    private static final Found FRESH = new Found(Found.State.ABSENT, null);

    /** A registry one of whose replicas is behind. */
    private static final class Behind implements RegistryClient {
        @Override
        public CompletableFuture<List<Found>> lookupLocal(List<EventId> ids) {
            return CompletableFuture.completedFuture(List.of(STALE));
        }

        @Override
        public CompletableFuture<List<Found>> lookupLinearizable(List<EventId> ids) {
            return CompletableFuture.completedFuture(List.of(FRESH));
        }

        @Override
        public void commit(List<Commit> batch, CommitListener asked) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<List<RemoveResult>> remove(List<Commit> batch) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<List<CancelResult>> cancel(List<Commit> batch) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long boundaryMicros() {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<Shard> shards() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Shard shardOf(EventId id) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }

    /** It may name an earlier holder, whose repair is long done. */
    @Test
    void aReplicaThatIsBehindIsNotAsked() {
        IdHolders holders =
                IdHolders.of(
                        () -> CompletableFuture.completedFuture((RegistryClient) new Behind()));
        assertThat(holders.ask(List.of(ID)).join()).containsExactly(FRESH);
    }
}
