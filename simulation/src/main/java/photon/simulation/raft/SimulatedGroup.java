package photon.simulation.raft;

import static photon.core.error.Checks.check;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import photon.idregistry.replicated.ReplicatedState;
import photon.simulation.kernel.Timeline;

/**
 * One group over all servers: who may lead it, and what is committed for good. What follows from
 * Raft is checked as it happens, so that the world's foundation is not what fails.
 */
final class SimulatedGroup<S extends ReplicatedState> {
    private static final long LOOK_NANOS = 250_000_000L;
    private static final long ELECTION_MIN_NANOS = 900_000_000L;
    private static final long ELECTION_SPREAD_NANOS = 1_600_000_000L;

    /** A leader is voted out for no reason about every two minutes. */
    private static final int UNREST_ONE_IN = 480;

    final String name;
    final Timeline timeline;
    final RandomGenerator random;
    final Counts counts;
    final Agreement<S> agreement;
    final List<Member<S>> members = new ArrayList<>();
    private final SimulatedCluster cluster;
    private final List<LogEntry> committed = new ArrayList<>();

    /** What a replica would be that has applied all that will stay. */
    private final S committedState;

    private long lastTerm;

    SimulatedGroup(
            String name, SimulatedCluster cluster, S committedState, Agreement<S> agreement) {
        this.name = name;
        this.cluster = cluster;
        this.timeline = cluster.timeline;
        this.random = timeline.random().split();
        this.counts = cluster.counts();
        this.agreement = agreement;
        this.committedState = committedState;
        for (String host : cluster.hosts) {
            members.add(new Member<>(this, members.size(), host));
        }
        after(random.nextLong(LOOK_NANOS), this::look);
    }

    long now() {
        return timeline.nowNanos();
    }

    void after(long nanos, Runnable task) {
        timeline.at(now() + nanos, task);
    }

    int majority() {
        return members.size() / 2 + 1;
    }

    boolean reaches(Member<S> from, Member<S> to) {
        return from == to || cluster.reach.reaches(from.host, to.host);
    }

    long delay(Member<S> from, Member<S> to) {
        return from == to ? 0 : cluster.reach.delayNanos(from.host, to.host);
    }

    /** How long the next sync of a log takes. */
    long syncNanos() {
        return random.nextLong(cluster.syncNanosMax());
    }

    boolean lags(Member<S> member) {
        return cluster.lags(member.place, name);
    }

    private void look() {
        for (Member<S> member : members) {
            SimulatedReplica<S> replica = member.replica();
            if (replica != null && replica.leading != null) {
                replica.leading.look();
            }
        }
        if (!cluster.isCalm() && random.nextInt(UNREST_ONE_IN) == 0) {
            depose();
        }
        for (Member<S> member : members) {
            SimulatedReplica<S> replica = member.running();
            long timeout = ELECTION_MIN_NANOS + random.nextLong(ELECTION_SPREAD_NANOS);
            if (replica != null
                    && replica.leading == null
                    && now() - replica.heardNanos > timeout
                    && elect(member)) {
                break;
            }
        }
        after(LOOK_NANOS / 2 + random.nextLong(LOOK_NANOS), this::look);
    }

    /**
     * Another than the present leader is elected, if one can be; the present one if no other can.
     */
    boolean depose() {
        Member<S> present = leader();
        List<Member<S>> candidates = new ArrayList<>();
        members.forEach(member -> candidates.add(random.nextInt(candidates.size() + 1), member));
        candidates.sort(Comparator.comparing(member -> member == present));
        return candidates.stream().anyMatch(this::elect);
    }

    /** Of those who believe to lead, the last one elected; null if there is none. */
    @Nullable Member<S> leader() {
        Member<S> last = null;
        long term = 0;
        for (Member<S> member : members) {
            SimulatedReplica<S> replica = member.replica();
            SimulatedLeadership<S> leading = replica == null ? null : replica.leading;
            if (leading != null && leading.term > term) {
                last = member;
                term = leading.term;
            }
        }
        return last;
    }

    private boolean elect(Member<S> candidate) {
        SimulatedReplica<S> replica = candidate.running();
        if (replica == null) {
            return false;
        }
        List<Member<S>> voters = new ArrayList<>();
        for (Member<S> member : members) {
            if (member != candidate
                    && member.running() != null
                    && reaches(candidate, member)
                    && reaches(member, candidate)
                    && candidate.log.coversEndOf(member.log)) {
                voters.add(random.nextInt(voters.size() + 1), member);
            }
        }
        if (voters.size() + 1 < majority()) {
            return false;
        }
        // Who is not asked goes on with the old leader for a while.
        int votes = majority() - 1 + random.nextInt(voters.size() + 2 - majority());
        lastTerm++;
        candidate.heardOfTerm(lastTerm);
        voters.subList(0, votes).forEach(voter -> voter.heardOfTerm(lastTerm));
        checkHoldsAllCommitted(candidate.log);
        counts.elections++;
        timeline.trace().add(candidate.host, "leads %s in term %d", name, lastTerm);
        SimulatedLeadership<S> leading = new SimulatedLeadership<>(this, replica, lastTerm);
        replica.leading = leading;
        replica.leader = candidate;
        replica.heardNanos = now();
        leading.begin();
        return true;
    }

    private void checkHoldsAllCommitted(DurableLog log) {
        check(
                log.last() >= committed.size(),
                "Expected a leader of %s with all %s committed entries, but it has %s",
                name,
                committed.size(),
                log.last());
        for (int index = 1; index <= committed.size(); index++) {
            check(
                    log.at(index) == committed.get(index - 1),
                    "Expected the committed entry %s of %s in the log of its leader",
                    index,
                    name);
        }
    }

    /** A leader knows that all up to this index of its log will stay. */
    void committed(SimulatedLeadership<S> by, DurableLog log, int upTo) {
        for (int index = committed.size() + 1; index <= upTo; index++) {
            LogEntry entry = log.at(index);
            committed.add(entry);
            byte[] result = SimulatedReplica.NOTHING;
            if (entry.data != null) {
                ByteBuffer data = ByteBuffer.wrap(entry.data).asReadOnlyBuffer();
                result = committedState.apply(index, data);
            }
            agreement.applied("who sees all logs", index, result, committedState);
            if (entry.data != null && entry.term != by.term) {
                counts.entriesCommittedAfterDeposed++;
            }
        }
    }

    /** Applies all that will stay once more, to a fresh state. */
    void replay(S fresh, CommittedEntries to) {
        for (int index = 1; index <= committed.size(); index++) {
            byte[] data = committed.get(index - 1).data;
            if (data != null) {
                to.entry(name, data, fresh.apply(index, ByteBuffer.wrap(data).asReadOnlyBuffer()));
            }
        }
    }

    /** The state that all that will stay makes; nobody in the world sees it. */
    S committedState() {
        return committedState;
    }

    /** Entries that will stay. */
    int committed() {
        return committed.size();
    }

    /** Those that have applied equally much must be equal. */
    void compareStates() {
        for (Member<S> member : members) {
            SimulatedReplica<S> replica = member.replica();
            if (replica != null) {
                agreement.compare(member.host, replica.applied(), replica.state);
            }
        }
    }

    /**
     * True if every server has a replica that has applied all that is committed, or has none since
     * the group is being removed.
     */
    boolean settled() {
        boolean going = members.stream().anyMatch(Member::removed);
        return members.stream().allMatch(member -> (going && !member.made()) || upToDate(member));
    }

    private boolean upToDate(Member<S> member) {
        SimulatedReplica<S> replica = member.replica();
        return replica != null && replica.applied() == committed.size();
    }
}
