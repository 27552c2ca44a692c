package photon.simulation.raft;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import photon.idregistry.control.ControlState;
import photon.idregistry.replicated.ReplicatedState;
import photon.idregistry.server.groups.Group;
import photon.idregistry.server.groups.GroupMaker;
import photon.idregistry.shard.ShardState;
import photon.proto.v1.ShardRef;
import photon.simulation.kernel.Life;

/** The replicas of one server in one of its lives. */
public final class ClusterServer implements GroupMaker {
    private final SimulatedCluster cluster;
    private final int place;
    private final Life life;
    private final ServedGroup<ControlState> control;

    ClusterServer(
            SimulatedCluster cluster,
            int place,
            Life life,
            SimulatedReplica<ControlState> control) {
        this.cluster = cluster;
        this.place = place;
        this.life = life;
        this.control = served(control);
    }

    private <S extends ReplicatedState> ServedGroup<S> served(SimulatedReplica<S> replica) {
        return new ServedGroup<>(replica, cluster::address);
    }

    public Group<ControlState> control() {
        return control;
    }

    @Override
    public @Nullable Group<ShardState> find(ShardRef ref) {
        life.checkAlive();
        SimulatedReplica<ShardState> replica = cluster.shard(ref).members.get(place).replica();
        return replica == null ? null : served(replica);
    }

    @Override
    public CompletableFuture<?> make(ShardRef ref) {
        life.checkAlive();
        SimulatedGroup<ShardState> group = cluster.shard(ref);
        Member<ShardState> member = group.members.get(place);
        CompletableFuture<Void> made = new CompletableFuture<>();
        int kind = group.random.nextInt(10);
        long delay = kind < 5 ? 0 : group.random.nextLong(kind < 9 ? 20_000_000 : 3_000_000_000L);
        group.after(
                delay,
                () -> {
                    if (!life.alive()) {
                        return;
                    }
                    if (kind == 8) {
                        made.completeExceptionally(new IOException("cannot be made now"));
                        return;
                    }
                    if (member.replica() == null) {
                        member.start(life, cluster.shardState(place, life));
                    }
                    made.complete(null);
                });
        return made;
    }

    @Override
    public CompletableFuture<?> remove(ShardRef ref) {
        life.checkAlive();
        SimulatedGroup<ShardState> group = cluster.shard(ref);
        Member<ShardState> member = group.members.get(place);
        CompletableFuture<Void> gone = new CompletableFuture<>();
        if (member.removed() || !member.made()) {
            gone.complete(null);
            return gone;
        }
        int kind = group.random.nextInt(10);
        group.after(
                kind < 5 ? 0 : group.random.nextLong(3_000_000_000L),
                () -> {
                    if (!life.alive()) {
                        return;
                    }
                    if (kind == 9) {
                        gone.completeExceptionally(new IOException("cannot be removed now"));
                        return;
                    }
                    group.timeline.trace().add(member.host, "removes %s", group.name);
                    member.remove();
                    gone.complete(null);
                });
        return gone;
    }
}
