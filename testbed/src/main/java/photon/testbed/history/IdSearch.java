package photon.testbed.history;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks for an order of one id's steps, each between its start and its end, in which every answer
 * is right: exhaustive, in the manner of Wing and Gong, with Lowe's just-in-time rule. It walks
 * through time with the set of all configurations that explain what has ended so far, a state and
 * which of the open steps have happened in it. When a step ends, each configuration makes as many
 * open ones happen as it takes for this one to have happened; where that is impossible the
 * configuration is dropped, and with the last of them the history is wrong. Steps that never end
 * happen only where they change something: one that does not can as well happen later, or never.
 *
 * <p>Not thread-safe; the same steps give the same answer.
 */
final class IdSearch {
    private static final int OPEN_MAX = 62;
    private static final int CONFIGURATIONS_MAX = 1 << 20;

    /**
     * What the registry knows of one id.
     *
     * @param holder number of a token
     * @param fenced a bit an incarnation
     * @param gone the boundary has passed it
     */
    record State(int holder, long fenced, boolean gone) {
        static final int NOBODY = -1;
        static final State INITIAL = new State(NOBODY, 0, false);

        boolean isFenced(int incarnation) {
            return (fenced & (1L << incarnation)) != 0;
        }

        State heldBy(int other) {
            return other == holder ? this : new State(other, fenced, gone);
        }

        State fenced(long mask) {
            return (fenced | mask) == fenced ? this : new State(holder, fenced | mask, gone);
        }

        /** Nobody holds it any more, and nobody ever will. */
        State passed() {
            return gone ? this : new State(NOBODY, fenced, true);
        }
    }

    private record Configuration(State state, long happened) {}

    private record Moment(long nanos, boolean end, int step) {}

    private final List<Step> steps;
    private final List<@Nullable Step> open = new ArrayList<>();
    private Set<Configuration> configurations =
            new HashSet<>(Set.of(new Configuration(State.INITIAL, 0)));

    private IdSearch(List<Step> steps) {
        this.steps = steps;
    }

    /**
     * @return the step at whose end no order was left; null if there is one to the end
     * @throws IllegalStateException if the history is too wide to be searched
     */
    static @Nullable Step firstUnexplained(List<Step> steps) {
        return new IdSearch(steps).search();
    }

    private @Nullable Step search() {
        List<Moment> moments = new ArrayList<>();
        for (int i = 0; i < steps.size(); i++) {
            moments.add(new Moment(steps.get(i).startNanos(), false, i));
            if (!steps.get(i).neverEnds()) {
                moments.add(new Moment(steps.get(i).endNanos(), true, i));
            }
        }
        // Starts before ends at the same moment: then either order is allowed.
        moments.sort(
                Comparator.comparingLong(Moment::nanos)
                        .thenComparing(Moment::end)
                        .thenComparingInt(Moment::step));
        int[] places = new int[steps.size()];
        for (Moment moment : moments) {
            if (moment.end()) {
                ended(places[moment.step()]);
                if (configurations.isEmpty()) {
                    return steps.get(moment.step());
                }
            } else {
                places[moment.step()] = started(steps.get(moment.step()));
            }
        }
        return null;
    }

    private int started(Step step) {
        int place = open.indexOf(null);
        if (place < 0) {
            place = open.size();
            open.add(step);
        } else {
            open.set(place, step);
        }
        if (place > OPEN_MAX) {
            throw new IllegalStateException(
                    "Expected at most %s open steps, but got more at %s"
                            .formatted(OPEN_MAX, step.text()));
        }
        return place;
    }

    private void ended(int place) {
        long wanted = 1L << place;
        Set<Configuration> kept = new HashSet<>();
        Set<Configuration> seen = new HashSet<>(configurations);
        ArrayDeque<Configuration> looked = new ArrayDeque<>(configurations);
        while (!looked.isEmpty()) {
            Configuration from = looked.remove();
            if ((from.happened() & wanted) != 0) {
                kept.add(new Configuration(from.state(), from.happened() & ~wanted));
                continue;
            }
            for (int i = 0; i < open.size(); i++) {
                Configuration next = happen(from, i);
                if (next != null && seen.add(next)) {
                    looked.add(next);
                }
            }
            if (seen.size() > CONFIGURATIONS_MAX) {
                throw new IllegalStateException(
                        "Expected a history that can be searched, but it has more than %s configurations"
                                .formatted(CONFIGURATIONS_MAX));
            }
        }
        configurations = kept;
        open.set(place, null);
    }

    private @Nullable Configuration happen(Configuration from, int place) {
        Step step = open.get(place);
        long bit = 1L << place;
        if (step == null || (from.happened() & bit) != 0) {
            return null;
        }
        State then = step.effect().on(from.state());
        if (then == null || (step.neverEnds() && then.equals(from.state()))) {
            return null;
        }
        return new Configuration(then, from.happened() | bit);
    }
}
