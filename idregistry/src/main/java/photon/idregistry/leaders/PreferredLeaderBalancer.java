package photon.idregistry.leaders;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a server takes the leadership of a group whose preferred leader it is: once the
 * group has had one leader for a while and this replica has caught up, one group after another. The
 * preferred leader asks, because it alone knows that it is there to stay. Used in one thread.
 *
 * @param <G> names a group
 */
public final class PreferredLeaderBalancer<G> {
    /** Longer than it takes until all members of a new group are there. */
    private static final Duration NEW_MAX = Duration.ofSeconds(60);

    private final String self;
    private Placement placement;
    private final Pace pace;
    private final Map<G, Watched> watched = new HashMap<>();
    private @Nullable G fetching;
    private long idleSinceNanos;
    private boolean everFetched;

    /** Nothing is fetched before this. */
    private long heldUntilNanos;

    private boolean held;

    /**
     * How calm it goes.
     *
     * @param calm a group stays where it is for so long after any change of its leader, also one
     *     that this server only learns of, as at its start
     * @param between two fetches of this server lie so far apart
     * @param calmNew as calm, of a group that was just made and that its preferred leader has never
     *     led: no client waits for it yet
     */
    public record Pace(Duration calm, Duration between, Duration calmNew) {
        public static final Pace DEFAULT =
                new Pace(Duration.ofSeconds(15), Duration.ofSeconds(1), Duration.ofSeconds(1));
    }

    /**
     * A group, as this server's replica knows it.
     *
     * @param place the group's, see {@link Placement}
     * @param leader its name; null while none is known
     * @param caughtUp this replica may be answered from
     * @param made since this server's start
     */
    public record Seen<G>(
            G group,
            int place,
            @Nullable String leader,
            long term,
            boolean caughtUp,
            boolean made) {}

    private static final class Watched {
        @Nullable String leader;
        long term;
        long sinceNanos;
        long heldUntilNanos;
        boolean held;

        /** Its preferred leader led it, or should have by now. */
        boolean settled;

        long firstSeenNanos;
    }

    public PreferredLeaderBalancer(String self, Placement placement, Pace pace) {
        this.self = self;
        this.placement = placement;
        this.pace = pace;
    }

    /** Other servers are members from now on. */
    public void place(Placement other) {
        placement = other;
    }

    /**
     * Looks at all groups of this server. To be called now and then.
     *
     * @param nowNanos monotonic
     * @return the group to be fetched now; {@link #ended} must be called when that has ended
     */
    public Optional<G> look(long nowNanos, List<Seen<G>> groups) {
        Set<G> there = new HashSet<>();
        Optional<G> next = Optional.empty();
        for (Seen<G> seen : groups) {
            there.add(seen.group());
            Watched at = watched.computeIfAbsent(seen.group(), g -> watched(nowNanos));
            boolean calm = watch(nowNanos, seen, at);
            if (calm && next.isEmpty() && isWanted(nowNanos, seen, at)) {
                next = Optional.of(seen.group());
            }
        }
        watched.keySet().retainAll(there);
        if (next.isPresent() && mayFetch(nowNanos)) {
            fetching = next.get();
            everFetched = true;
            return next;
        }
        return Optional.empty();
    }

    /** True if the leader has been the same for long. */
    private boolean watch(long nowNanos, Seen<G> seen, Watched at) {
        if (seen.leader() == null
                || !seen.leader().equals(at.leader)
                || seen.term() != at.term
                || !seen.caughtUp()) {
            at.leader = seen.leader();
            at.term = seen.term();
            at.sinceNanos = nowNanos;
            return false;
        }
        at.settled |=
                self.equals(seen.leader()) || nowNanos - at.firstSeenNanos > NEW_MAX.toNanos();
        return nowNanos - at.sinceNanos >= calm(seen, at).toNanos();
    }

    private Duration calm(Seen<G> seen, Watched at) {
        return seen.made() && !at.settled ? pace.calmNew() : pace.calm();
    }

    private static Watched watched(long nowNanos) {
        Watched made = new Watched();
        made.firstSeenNanos = nowNanos;
        return made;
    }

    private boolean isWanted(long nowNanos, Seen<G> seen, Watched at) {
        if (at.held && nowNanos - at.heldUntilNanos >= 0) {
            at.held = false;
        }
        String leader = seen.leader();
        return !at.held
                && leader != null
                && !leader.equals(self)
                && isNext(seen.place(), leader, nowNanos - at.sinceNanos);
    }

    /**
     * The preferred leader, or, where a server leads that should not and the preferred leader does
     * not take over, the others in their order, each giving those before it some time.
     */
    private boolean isNext(int place, String leader, long calmNanos) {
        List<String> order = placement.preference(place);
        int turn = order.indexOf(self);
        if (turn < 0 || placement.avoided(self)) {
            return false;
        }
        if (turn == 0) {
            return true;
        }
        return placement.avoided(leader) && calmNanos >= pace.calm().toNanos() * (turn + 1);
    }

    private boolean mayFetch(long nowNanos) {
        if (held && nowNanos - heldUntilNanos >= 0) {
            held = false;
        }
        return fetching == null
                && !held
                && (!everFetched || nowNanos - idleSinceNanos >= pace.between().toNanos());
    }

    /**
     * The fetch has ended, either way; a group that is still elsewhere is left there for a while.
     */
    public void ended(long nowNanos) {
        Watched at = fetching == null ? null : watched.get(fetching);
        if (at != null) {
            at.sinceNanos = nowNanos;
        }
        fetching = null;
        idleSinceNanos = nowNanos;
    }

    /** This server fetches nothing for so long. */
    public void hold(long nowNanos, Duration length) {
        heldUntilNanos = nowNanos + length.toNanos();
        held = true;
    }

    /** This server does not fetch this group for so long. */
    public void hold(long nowNanos, Duration length, G group) {
        Watched at = watched.computeIfAbsent(group, g -> watched(nowNanos));
        at.heldUntilNanos = nowNanos + length.toNanos();
        at.held = true;
    }
}
