package photon.testbed.history;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import photon.core.testing.Await;

/**
 * Does to a cluster what a bad day does, one thing after another, each undone again: all kinds
 * once, in an order from the seed, then any. Used in one thread, which it blocks.
 */
final class Nemesis {
    private static final Duration INSTALLED_WITHIN = Duration.ofMinutes(3);

    enum Fault {
        KILL_LEADER,
        KILL_FOLLOWER,
        /** Until the others' logs begin behind its own end. */
        KILL_UNTIL_A_SNAPSHOT_IS_NEEDED,
        /** All replicas start from what they have on disk. */
        KILL_ALL,
        /** Longer than an election takes. */
        PAUSE_LEADER,
        /** Longer than 10 s. */
        PAUSE_LEADER_LONG,
        ISOLATE_LEADER,
        ISOLATE_FOLLOWER,
        /** The leader hears nobody, and is heard. */
        CUT_TO_LEADER,
        /** The leader is heard by nobody, and hears all. */
        CUT_FROM_LEADER,
        /** The leader and as many as are not a majority with it, from the rest. */
        SPLIT
    }

    private final Cluster cluster;
    private final Random random;
    private final UUID group;
    private final IntSupplier leader;
    private final LongSupplier logEnd;
    private final Workload.Tally tally;
    private final Map<Fault, Integer> done = new EnumMap<>(Fault.class);
    private final List<Fault> todo;
    private final List<String> story = new ArrayList<>();
    private final long startNanos = System.nanoTime();

    /**
     * @param group whose leader is meant
     * @param leader which replica it is
     * @param logEnd an index of the group's log at or behind its present end
     */
    Nemesis(
            Cluster cluster,
            Random random,
            UUID group,
            IntSupplier leader,
            LongSupplier logEnd,
            Workload.Tally tally) {
        this.cluster = cluster;
        this.random = random;
        this.group = group;
        this.leader = leader;
        this.logEnd = logEnd;
        this.tally = tally;
        this.todo = new ArrayList<>(List.of(Fault.values()));
        java.util.Collections.shuffle(todo, random);
        // Early, so that there is time for what comes after it.
        todo.remove(Fault.KILL_UNTIL_A_SNAPSHOT_IS_NEEDED);
        todo.add(0, Fault.KILL_UNTIL_A_SNAPSHOT_IS_NEEDED);
    }

    /** True while some kind has never been done. */
    boolean hasMore() {
        return !todo.isEmpty();
    }

    Map<Fault, Integer> done() {
        return done;
    }

    /** What was done, and when. */
    List<String> story() {
        return story;
    }

    /** Does one thing and undoes it, and gives the cluster a moment. */
    void once() throws Exception {
        Fault fault =
                todo.isEmpty()
                        ? Fault.values()[random.nextInt(Fault.values().length)]
                        : todo.remove(0);
        int leads = leader.getAsInt();
        int other = (leads + 1 + random.nextInt(cluster.size() - 1)) % cluster.size();
        story.add(
                "%.1f s %s, r%d leads, r%d does not"
                        .formatted((System.nanoTime() - startNanos) / 1e9, fault, leads, other));
        done.merge(fault, 1, Integer::sum);
        switch (fault) {
            case KILL_LEADER -> killFor(leads, millis(300, 2_000));
            case KILL_FOLLOWER -> killFor(other, millis(300, 2_000));
            case KILL_UNTIL_A_SNAPSHOT_IS_NEEDED -> killUntilASnapshotIsNeeded(other);
            case KILL_ALL -> killAll();
            case PAUSE_LEADER -> pause(leads, millis(1_500, 4_000));
            case PAUSE_LEADER_LONG -> pause(leads, millis(10_500, 12_500));
            case ISOLATE_LEADER -> split(List.of(leads), millis(1_500, 4_000));
            case ISOLATE_FOLLOWER -> split(List.of(other), millis(1_500, 4_000));
            case CUT_TO_LEADER -> cut(leads, true, false, millis(1_500, 4_000));
            case CUT_FROM_LEADER -> cut(leads, false, true, millis(1_500, 4_000));
            case SPLIT -> split(minorityWith(leads), millis(1_500, 4_000));
            default -> throw new IllegalStateException("Expected to know " + fault);
        }
        await(millis(500, 1_500));
    }

    private Duration millis(int from, int to) {
        return Duration.ofMillis(from + random.nextInt(to - from));
    }

    private static void await(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private void killFor(int replica, Duration time) throws Exception {
        cluster.kill(replica);
        await(time);
        cluster.restart(replica);
        cluster.awaitServing(replica);
    }

    private void killUntilASnapshotIsNeeded(int replica) throws Exception {
        cluster.kill(replica);
        // All that it has lies before this.
        long end = logEnd.getAsLong();
        Await.until(
                INSTALLED_WITHIN,
                "a log that begins behind index " + end,
                cluster::messages,
                () -> {
                    for (int i = 0; i < cluster.size(); i++) {
                        if (i != replica && LogFiles.start(cluster.data(i), group) <= end) {
                            return false;
                        }
                    }
                    return true;
                });
        cluster.restart(replica);
        cluster.awaitServing(replica);
        Await.until(
                INSTALLED_WITHIN,
                "r" + replica + " to begin its log behind index " + end,
                cluster::messages,
                () -> LogFiles.start(cluster.data(replica), group) > end);
        tally.installedNanos = System.nanoTime();
    }

    private void killAll() throws Exception {
        for (int i = 0; i < cluster.size(); i++) {
            cluster.kill(i);
        }
        for (int i = 0; i < cluster.size(); i++) {
            cluster.restart(i);
        }
        cluster.awaitAllServing();
    }

    private void pause(int replica, Duration time) throws Exception {
        cluster.replica(replica).signal("STOP");
        await(time);
        cluster.replica(replica).signal("CONT");
    }

    private List<Integer> minorityWith(int leads) {
        List<Integer> side = new ArrayList<>(List.of(leads));
        for (int i = 1; side.size() <= (cluster.size() - 1) / 2 - 1; i++) {
            side.add((leads + i) % cluster.size());
        }
        return side;
    }

    private void split(List<Integer> side, Duration time) {
        for (int from = 0; from < cluster.size(); from++) {
            for (int to = 0; to < cluster.size(); to++) {
                if (side.contains(from) != side.contains(to)) {
                    cluster.linkBetween(from, to).cut();
                }
            }
        }
        await(time);
        mend();
    }

    private void cut(int replica, boolean to, boolean from, Duration time) {
        for (int i = 0; i < cluster.size(); i++) {
            if (i != replica && to) {
                cluster.linkBetween(i, replica).cut();
            }
            if (i != replica && from) {
                cluster.linkBetween(replica, i).cut();
            }
        }
        await(time);
        mend();
    }

    /** What was held up goes on, or is lost with its connection. */
    private void mend() {
        if (random.nextBoolean()) {
            for (int from = 0; from < cluster.size(); from++) {
                for (int to = 0; to < cluster.size(); to++) {
                    if (from != to) {
                        cluster.linkBetween(from, to).reset();
                    }
                }
            }
        }
        cluster.mendLinks();
    }
}
