package photon.simulation.raft;

import static photon.core.error.Checks.check;

import org.jspecify.annotations.Nullable;
import photon.idregistry.replicated.MemorySnapshot;
import photon.idregistry.replicated.ReplicatedState;
import photon.simulation.kernel.Life;

/** One server's part of one group: what is on its disk, and its replica while the server lives. */
final class Member<S extends ReplicatedState> {
    final SimulatedGroup<S> group;

    /** Its place among the servers. */
    final int place;

    final String host;

    DurableLog log = new DurableLog();

    /** True from when this server was told of the group, until it is removed. */
    private boolean made;

    /** True: it was removed, for ever. */
    private boolean removed;

    @Nullable Snapshot snapshot;

    private @Nullable SimulatedReplica<S> replica;

    /** The state after all entries up to an index. */
    record Snapshot(int index, MemorySnapshot state) {}

    Member(SimulatedGroup<S> group, int place, String host) {
        this.group = group;
        this.place = place;
        this.host = host;
    }

    boolean made() {
        return made;
    }

    boolean removed() {
        return removed;
    }

    /** The server has taken it away with all that it had on disk: it takes part no more. */
    void remove() {
        SimulatedReplica<S> ended = replica;
        replica = null;
        if (ended != null) {
            ended.remove();
        }
        log = new DurableLog();
        snapshot = null;
        made = false;
        removed = true;
    }

    /** Makes it, or brings it back, in a life of its server. */
    SimulatedReplica<S> start(Life life, S empty) {
        check(!removed, "Expected no replica of %s on %s after its removal", group.name, host);
        made = true;
        SimulatedReplica<S> started = new SimulatedReplica<>(group, this, life, empty);
        replica = started;
        return started;
    }

    /** Null while the server is down, or has no replica. */
    @Nullable SimulatedReplica<S> replica() {
        return replica;
    }

    /** The replica, if it runs and takes messages now; else null. */
    @Nullable SimulatedReplica<S> running() {
        SimulatedReplica<S> now = replica;
        return now != null && now.up() ? now : null;
    }

    void crash() {
        SimulatedReplica<S> ended = replica;
        replica = null;
        if (ended != null && ended.leading != null) {
            ended.leading.end();
        }
        log.crash(group.random);
    }

    /** From now on takes nothing of lower terms. */
    void heardOfTerm(long term) {
        if (term > log.term) {
            log.term = term;
            SimulatedReplica<S> now = replica;
            if (now != null && now.leading != null) {
                now.leading.stepDown("term " + term);
            }
        }
    }
}
