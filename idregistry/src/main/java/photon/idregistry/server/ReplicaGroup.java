package photon.idregistry.server;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import photon.idregistry.raft.Replica;
import photon.idregistry.replicated.ReplicatedLog;
import photon.idregistry.replicated.ReplicatedState;

/** A group that is a Raft replica. */
final class ReplicaGroup<S extends ReplicatedState> implements Group<S> {
    private final Replica replica;
    private final Class<S> type;
    private final Map<String, String> services;

    /**
     * @param services server name to service address
     */
    ReplicaGroup(Replica replica, Class<S> type, Map<String, String> services) {
        this.replica = replica;
        this.type = type;
        this.services = services;
    }

    @Override
    public ReplicatedLog log() {
        return replica.log();
    }

    @Override
    public String leader() {
        String name = replica.leader();
        return name == null ? "" : services.getOrDefault(name, "");
    }

    @Override
    public boolean caughtUp() {
        return replica.caughtUp();
    }

    @Override
    public <T extends @Nullable Object> T read(Function<S, T> reader) {
        return replica.read(state -> reader.apply(type.cast(state)));
    }

    @Override
    public CompletableFuture<Void> readBarrier() {
        return replica.readBarrier();
    }
}
