package photon.simulation.raft;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import photon.idregistry.replicated.ReplicatedLog;
import photon.idregistry.replicated.ReplicatedState;
import photon.idregistry.server.groups.Group;

/** A group as one life of one server sees it. */
final class ServedGroup<S extends ReplicatedState> implements Group<S>, ReplicatedLog {
    private static final long BARRIER_TIMEOUT_NANOS = 5_000_000_000L;

    private final SimulatedReplica<S> replica;
    private final SimulatedGroup<S> group;
    private final Function<String, String> addresses;

    /**
     * @param addresses host to service address
     */
    ServedGroup(SimulatedReplica<S> replica, Function<String, String> addresses) {
        this.replica = replica;
        this.group = replica.group;
        this.addresses = addresses;
    }

    @Override
    public ReplicatedLog log() {
        return this;
    }

    @Override
    public boolean leads() {
        SimulatedLeadership<S> leading = replica.leading;
        return leading != null && leading.ready();
    }

    @Override
    public CompletableFuture<byte[]> submit(byte[] entry) {
        replica.life.checkAlive();
        SimulatedLeadership<S> leading = replica.leading;
        if (leading == null || !leading.ready()) {
            return CompletableFuture.failedFuture(
                    new NotSubmittedException(replica.member.host + " does not lead"));
        }
        return leading.submit(entry);
    }

    @Override
    public String leader() {
        Member<S> leader = replica.leader;
        return leader == null ? "" : addresses.apply(leader.host);
    }

    @Override
    public <T extends @Nullable Object> T read(Function<S, T> reader) {
        replica.life.checkAlive();
        return reader.apply(replica.state);
    }

    @Override
    public boolean caughtUp() {
        return replica.caughtUp();
    }

    /** A follower asks the leader that it knows, which has itself confirmed before it answers. */
    @Override
    public CompletableFuture<Void> readBarrier() {
        replica.life.checkAlive();
        CompletableFuture<Void> barrier = new CompletableFuture<>();
        Member<S> here = replica.member;
        Member<S> leader = replica.leading != null ? here : replica.leader;
        if (leader != null && group.reaches(here, leader)) {
            group.after(
                    group.delay(here, leader),
                    () -> {
                        SimulatedReplica<S> there = leader.running();
                        SimulatedLeadership<S> leading = there == null ? null : there.leading;
                        if (leading != null) {
                            leading.confirm(index -> confirmed(leader, index, barrier));
                        }
                    });
        }
        group.after(
                BARRIER_TIMEOUT_NANOS,
                () -> {
                    if (replica.life.alive()) {
                        barrier.completeExceptionally(
                                new SimulatedOutcomeUnknownException("No read index in time"));
                    }
                });
        return barrier;
    }

    private void confirmed(Member<S> leader, int index, CompletableFuture<Void> barrier) {
        if (group.reaches(leader, replica.member)) {
            group.after(
                    group.delay(leader, replica.member),
                    () -> {
                        if (replica.up()) {
                            replica.await(index, barrier);
                        }
                    });
        }
    }
}
