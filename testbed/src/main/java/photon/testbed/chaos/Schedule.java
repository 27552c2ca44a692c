package photon.testbed.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * What happens in one category, one thing after another, from a seed: at first each kind once, then
 * again and again as often as its weight says, each time in another order. Pure: the same seed
 * gives the same schedule, for ever. Not thread-safe.
 */
final class Schedule {
    private static final int PAUSE_MILLIS_MIN = 500;
    private static final int PAUSE_MILLIS_MAX = 2_500;
    private static final int HOLD_MILLIS_MIN = 300;
    private static final int HOLD_MILLIS_MAX = 5_000;

    /** Longer than anything in the registry waits for a replica that is silent. */
    private static final int LONG_HOLD_MILLIS = 11_000;

    private static final int LONG_ONE_IN = 6;

    private final Random random;
    private final List<ActionKind> kinds;
    private final List<ActionKind> due = new ArrayList<>();
    private int count;

    /**
     * One thing that is to happen.
     *
     * @param number from 1 on, of this category
     * @param pause of nothing before it
     * @param hold how long it lasts until it is undone, where that is for us to say
     * @param pick from 0 on: chooses among what there is then
     */
    record Planned(int number, ActionKind kind, Duration pause, Duration hold, int pick) {}

    /**
     * @param kinds of which it consists; at least one
     */
    Schedule(long seed, List<ActionKind> kinds) {
        this.random = new Random(seed);
        this.kinds = List.copyOf(kinds);
        due.addAll(kinds);
        Collections.shuffle(due, random);
    }

    /** The next. There is always another one. */
    Planned next() {
        if (due.isEmpty()) {
            for (ActionKind kind : kinds) {
                due.addAll(Collections.nCopies(kind.weight, kind));
            }
            Collections.shuffle(due, random);
        }
        return new Planned(
                ++count,
                due.remove(0),
                millis(PAUSE_MILLIS_MIN, PAUSE_MILLIS_MAX),
                random.nextInt(LONG_ONE_IN) == 0
                        ? Duration.ofMillis(LONG_HOLD_MILLIS)
                        : millis(HOLD_MILLIS_MIN, HOLD_MILLIS_MAX),
                random.nextInt(1 << 20));
    }

    private Duration millis(int from, int to) {
        return Duration.ofMillis(from + random.nextInt(to - from));
    }
}
