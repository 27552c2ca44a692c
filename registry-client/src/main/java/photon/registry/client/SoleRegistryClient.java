package photon.registry.client;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import photon.core.id.EventId;
import photon.registry.api.RegistryClient;

/** A client whose connection serves nobody else and is closed with it. */
final class SoleRegistryClient implements RegistryClient {
    private final RegistryClient client;
    private final RegistryConnection connection;

    SoleRegistryClient(RegistryClient client, RegistryConnection connection) {
        this.client = client;
        this.connection = connection;
    }

    @Override
    public void commit(List<Commit> batch, CommitListener asked) {
        client.commit(batch, asked);
    }

    @Override
    public CompletableFuture<List<Found>> lookupLocal(List<EventId> ids) {
        return client.lookupLocal(ids);
    }

    @Override
    public CompletableFuture<List<RemoveResult>> remove(List<Commit> batch) {
        return client.remove(batch);
    }

    @Override
    public long boundaryMicros() {
        return client.boundaryMicros();
    }

    @Override
    public long latestMicros() {
        return client.latestMicros();
    }

    @Override
    public List<Shard> shards() {
        return client.shards();
    }

    @Override
    public Shard shardOf(EventId id) {
        return client.shardOf(id);
    }

    @Override
    public void close() {
        client.close();
        connection.close();
    }
}
