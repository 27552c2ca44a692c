package photon.idregistry.members;

import java.time.Duration;
import java.util.List;
import photon.core.time.Standstill;

/**
 * Decides when a server that waits for others says so: when it has waited for as many of them for a
 * while. A registry that starts as a whole, however slowly, has nothing to tell. Not thread-safe.
 */
public final class WaitNotice {
    private static final Duration TELL_EVERY = Duration.ofSeconds(30);

    private Standstill standstill;

    /** One that comes and goes brings the start no further. */
    private int fewest = Integer.MAX_VALUE;

    /**
     * @param nanoTime when the wait begins
     */
    public WaitNotice(long nanoTime) {
        standstill = new Standstill(TELL_EVERY, List.of(), nanoTime);
    }

    /** True if it is time to say, perhaps once more, what is waited for. */
    public boolean isDue(FirstStart start, long nanoTime) {
        FirstStart.Step next = start.next();
        boolean waits = next == FirstStart.Step.ASK || next == FirstStart.Step.ASK_CONTROL;
        fewest = Math.min(fewest, start.waitsFor().size());
        List<Object> waited = List.of(waits, fewest);
        boolean due = standstill.reached(waited, nanoTime);
        if (due) {
            standstill = new Standstill(TELL_EVERY, waited, nanoTime);
        }
        return due && waits;
    }
}
