package photon.simulation.raft;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntConsumer;
import photon.idregistry.replicated.ReplicatedState;

/**
 * One leader's time in office, as it sees it: it ends when it hears of a later one, or has not
 * heard of a majority for long. Until then it takes entries, in vain perhaps.
 */
final class SimulatedLeadership<S extends ReplicatedState> {
    private static final long PATIENCE_MIN_NANOS = 1_500_000_000L;
    private static final long PATIENCE_SPREAD_NANOS = 6_000_000_000L;
    private static final int INSTALL_BEHIND = 40;

    final long term;
    private final SimulatedGroup<S> group;
    private final SimulatedReplica<S> at;
    private final Member<S> self;
    private final long patienceNanos;

    /** The index of its own mark: what it commits begins there. */
    private final int first;

    /** By member: the log there is known to be as here up to this index, and synced. */
    private final int[] match;

    private final TreeMap<Integer, CompletableFuture<byte[]>> pending = new TreeMap<>();
    private int committed;
    private long quorumNanos;
    private boolean over;

    SimulatedLeadership(SimulatedGroup<S> group, SimulatedReplica<S> at, long term) {
        this.group = group;
        this.at = at;
        this.self = at.member;
        this.term = term;
        this.match = new int[group.members.size()];
        this.quorumNanos = group.now();
        this.patienceNanos = PATIENCE_MIN_NANOS + group.random.nextLong(PATIENCE_SPREAD_NANOS);
        this.first = self.log.last() + 1;
    }

    void begin() {
        append(new LogEntry(term, null));
    }

    /** It believes to lead, and what its predecessors committed is applied. */
    boolean ready() {
        return !over && at.life.alive() && at.applied() >= first;
    }

    CompletableFuture<byte[]> submit(byte[] entry) {
        CompletableFuture<byte[]> result = new CompletableFuture<>();
        append(new LogEntry(term, entry.clone()));
        pending.put(self.log.last(), result);
        return result;
    }

    private void append(LogEntry entry) {
        self.log.append(entry);
        syncSelf();
        group.members.forEach(this::send);
    }

    private void syncSelf() {
        int upTo = self.log.last();
        group.after(
                group.syncNanos(),
                () -> {
                    if (!over && at.up()) {
                        self.log.sync(upTo);
                        matches(self, upTo);
                    }
                });
    }

    private void send(Member<S> to) {
        if (to == self || !group.reaches(self, to)) {
            return;
        }
        int behind = match[to.place];
        List<LogEntry> entries = self.log.behind(behind);
        int commit = committed;
        group.after(group.delay(self, to), () -> arrive(to, behind, entries, commit));
    }

    /** At the follower, perhaps long after the leader has gone. */
    private void arrive(Member<S> to, int behind, List<LogEntry> entries, int commit) {
        SimulatedReplica<S> there = to.running();
        if (there == null) {
            return;
        }
        if (to.log.term > term) {
            refuse(to);
            return;
        }
        heard(to, there);
        to.log.take(behind, entries);
        int upTo = behind + entries.size();
        there.committed(Math.min(commit, upTo));
        group.after(
                group.syncNanos(),
                () -> {
                    if (there.up() && to.log.term == term) {
                        to.log.sync(upTo);
                        acknowledge(to, upTo);
                    }
                });
    }

    private void heard(Member<S> follower, SimulatedReplica<S> there) {
        follower.heardOfTerm(term);
        there.leader = self;
        there.heardNanos = group.now();
    }

    private void acknowledge(Member<S> from, int upTo) {
        if (group.reaches(from, self)) {
            group.after(
                    group.delay(from, self),
                    () -> {
                        if (!over && at.up()) {
                            matches(from, upTo);
                        }
                    });
        }
    }

    private void refuse(Member<S> from) {
        long later = from.log.term;
        if (group.reaches(from, self)) {
            group.after(group.delay(from, self), () -> self.heardOfTerm(later));
        }
    }

    private void matches(Member<S> member, int index) {
        match[member.place] = Math.max(match[member.place], index);
        int[] sorted = match.clone();
        Arrays.sort(sorted);
        int majority = sorted[sorted.length - group.majority()];
        if (majority > committed && majority >= first) {
            group.committed(this, self.log, majority);
            committed = majority;
            at.committed(majority);
            if (group.random.nextBoolean()) {
                group.members.forEach(this::tellCommit);
            }
        }
    }

    private void tellCommit(Member<S> to) {
        if (to != self && group.reaches(self, to)) {
            int commit = Math.min(committed, match[to.place]);
            group.after(
                    group.delay(self, to),
                    () -> {
                        SimulatedReplica<S> there = to.running();
                        if (there != null && to.log.term == term) {
                            there.committed(commit);
                        }
                    });
        }
    }

    /** Every now and then: is it still followed, and is everyone up to date? */
    void look() {
        if (over || !at.up()) {
            return;
        }
        int following = 1;
        for (Member<S> follower : group.members) {
            SimulatedReplica<S> there = follower.running();
            if (follower == self || there == null || !group.reaches(self, follower)) {
                continue;
            }
            if (follower.log.term > term) {
                refuse(follower);
                continue;
            }
            heard(follower, there);
            following += group.reaches(follower, self) ? 1 : 0;
            catchUp(follower, there);
        }
        at.heardNanos = group.now();
        at.committed(committed);
        if (match[self.place] < self.log.last()) {
            syncSelf();
        }
        if (following >= group.majority()) {
            quorumNanos = group.now();
        } else if (group.now() - quorumNanos > patienceNanos) {
            stepDown("no majority");
        }
    }

    private void catchUp(Member<S> follower, SimulatedReplica<S> there) {
        int matched = match[follower.place];
        if (matched < self.log.last()) {
            send(follower);
        }
        Member.Snapshot snapshot = self.snapshot;
        if (snapshot != null
                && snapshot.index() <= matched
                && there.applied() + INSTALL_BEHIND < snapshot.index()
                && !group.lags(follower)) {
            there.install(snapshot);
        }
        there.committed(Math.min(committed, matched));
    }

    /** This server has applied an entry. */
    void applied(int index, byte[] result) {
        CompletableFuture<byte[]> submitter = pending.remove(index);
        if (submitter != null) {
            submitter.complete(result);
        }
    }

    /**
     * Finds what is surely committed by now: a majority has not followed another since, so nobody
     * else can have committed more.
     *
     * @param sure told the index, unless it cannot be known
     */
    void confirm(IntConsumer sure) {
        if (!ready()) {
            return;
        }
        int index = committed;
        long roundTrip = 0;
        for (Member<S> follower : group.members) {
            long way = group.delay(self, follower) + group.delay(follower, self);
            roundTrip = Math.max(roundTrip, way);
        }
        group.after(
                roundTrip,
                () -> {
                    if (!over && at.up() && loyal() >= group.majority()) {
                        sure.accept(index);
                    }
                });
    }

    private int loyal() {
        int loyal = 0;
        for (Member<S> member : group.members) {
            if (member.running() != null
                    && member.log.term <= term
                    && group.reaches(self, member)
                    && group.reaches(member, self)) {
                loyal++;
            }
        }
        return loyal;
    }

    /** Its own entries may be kept by a successor, or not: nobody knows. */
    void stepDown(String why) {
        if (over) {
            return;
        }
        end();
        group.timeline.trace().add(self.host, "leads %s no more: %s", group.name, why);
        List<CompletableFuture<byte[]>> left = new ArrayList<>(pending.values());
        pending.clear();
        for (CompletableFuture<byte[]> submitter : left) {
            group.counts.unknownSubmits++;
            // Some are told at once, the others hear nothing until they are given up.
            long delay =
                    group.random.nextInt(4) == 0
                            ? 1_000_000_000L + group.random.nextLong(20_000_000_000L)
                            : group.random.nextInt(5_000_000);
            group.after(
                    delay,
                    () -> {
                        if (at.life.alive()) {
                            submitter.completeExceptionally(
                                    new SimulatedOutcomeUnknownException(
                                            self.host + " leads no more"));
                        }
                    });
        }
    }

    /** With its process: nobody is there to be told. */
    void end() {
        over = true;
        at.leading = null;
    }
}
