package photon.joiner.rules;

import static photon.core.error.Checks.check;

/**
 * Tells a trouble of single events from one of the adapter: when it fails for more than a share of
 * the last events, failing is no event's own fault any more. Then nothing is to be dead-lettered,
 * and nothing counted against an event, until it does better. Time alone does not release it: an
 * adapter that is still broken would dead-letter another window of events each time. Not
 * thread-safe.
 */
public final class AdapterBrake {
    /** While the brake is on, this many decisions tell whether the adapter works again. */
    static final int PROBES = 20;

    private final int percentMax;
    private final boolean[] failed;
    private int next;
    private int known;
    private int failures;
    private boolean on;
    private int probes;
    private int probesFailed;

    /**
     * @param percentMax how many of a hundred may fail, 1 to 100; 100: never on
     * @param window how many of the last decisions are looked at, 1 or more
     */
    public AdapterBrake(int percentMax, int window) {
        check(
                percentMax >= 1 && percentMax <= 100,
                "Expected 1 to 100 percent, but got %s",
                percentMax);
        check(window > 0, "Expected a window above 0, but got %s", window);
        this.percentMax = percentMax;
        this.failed = new boolean[window];
    }

    /**
     * The adapter has decided about one event.
     *
     * @param failure it threw, took too long, rejected, or wants another try
     * @return true: the brake is on, with this event taken into account
     */
    public boolean decided(boolean failure) {
        if (on) {
            probe(failure);
            return on;
        }
        if (known == failed.length) {
            failures -= failed[next] ? 1 : 0;
        } else {
            known++;
        }
        failed[next] = failure;
        failures += failure ? 1 : 0;
        next = (next + 1) % failed.length;
        if (known == failed.length && tooMany(failures, known)) {
            on = true;
            probes = 0;
            probesFailed = 0;
        }
        return on;
    }

    public boolean isOn() {
        return on;
    }

    private void probe(boolean failure) {
        probes++;
        probesFailed += failure ? 1 : 0;
        if (probes == PROBES) {
            on = tooMany(probesFailed, PROBES);
            probes = 0;
            probesFailed = 0;
            if (!on) {
                known = 0;
                failures = 0;
                next = 0;
            }
        }
    }

    private boolean tooMany(int failures, int decisions) {
        return failures * 100L > (long) percentMax * decisions;
    }
}
