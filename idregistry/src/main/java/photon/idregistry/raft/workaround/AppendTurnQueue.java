package photon.idregistry.raft.workaround;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Who may work at a replica's log: entries of one leader at a time, and nobody meanwhile who votes
 * by the log, or puts a snapshot in its place (docs/protocol.md section 9). Those who do not agree
 * take their turns in the order in which they come. It knows a group only while somebody is at work
 * there or waits. Thread-safe.
 *
 * @param <G> what tells groups apart
 */
public final class AppendTurnQueue<G> {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition left = lock.newCondition();

    /** By group, at work or waiting, in the order in which they came. Guarded by the lock. */
    private final Map<G, Deque<Place>> places = new HashMap<>();

    /**
     * What is done in a turn.
     *
     * @param appends may replace or add entries
     * @param leaderTerm the term of the leader who does it; {@link #NO_LEADER} for what must be
     *     alone where somebody appends
     */
    record Turn(boolean appends, long leaderTerm) {
        private static final long NO_LEADER = -1;

        /** Entries, or a heartbeat, of the leader of a term. */
        static Turn ofLeader(long term, boolean appends) {
            return new Turn(appends, term);
        }

        /** What counts on the log as it is; it may itself be done beside others like it. */
        static Turn ofOther() {
            return new Turn(false, NO_LEADER);
        }

        /** What nothing may be done beside, not even what is like it. */
        static Turn alone() {
            return new Turn(true, NO_LEADER);
        }

        /** A term has one leader, whose messages do not contradict each other. */
        boolean agreesWith(Turn other) {
            return (!appends && !other.appends)
                    || (leaderTerm == other.leaderTerm && leaderTerm != NO_LEADER);
        }
    }

    /** One who came; equal to itself alone. */
    private static final class Place {
        private final Turn turn;

        private Place(Turn turn) {
            this.turn = turn;
        }
    }

    /**
     * Does the work when nobody is left who came before and does not agree with it. Not to be
     * interrupted while it waits, as an intrinsic lock.
     */
    void run(G group, Turn turn, Runnable work) {
        Place place = new Place(turn);
        enter(group, place);
        try {
            work.run();
        } finally {
            leave(group, place);
        }
    }

    private void enter(G group, Place place) {
        lock.lock();
        try {
            Deque<Place> here = places.computeIfAbsent(group, g -> new ArrayDeque<>(2));
            here.addLast(place);
            while (mustWait(here, place)) {
                left.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    private static boolean mustWait(Deque<Place> here, Place place) {
        for (Place earlier : here) {
            if (earlier == place) {
                return false;
            }
            if (!earlier.turn.agreesWith(place.turn)) {
                return true;
            }
        }
        throw new IllegalStateException("Expected a place among those who came");
    }

    private void leave(G group, Place place) {
        lock.lock();
        try {
            places.computeIfPresent(
                    group,
                    (g, here) -> {
                        here.remove(place);
                        return here.isEmpty() ? null : here;
                    });
            left.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Groups in which somebody is at work or waits. */
    int groups() {
        lock.lock();
        try {
            return places.size();
        } finally {
            lock.unlock();
        }
    }
}
