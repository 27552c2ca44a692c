package photon.testbed.chaos;

import java.io.IOException;

/**
 * Does one kind of thing to the registry and undoes it. Each is an entry in the list of {@link
 * ChaosActions}: a new kind is a constant of {@link ActionKind} and one class.
 */
interface ChaosAction {
    ActionKind kind();

    /**
     * Returns when it is over: what was taken away is there again.
     *
     * @param moment told when it is undone, before it is over
     * @return how it ended, in a word or two ("done", "committed"), by which it is counted
     * @throws TroubleException if the registry does not come right in time
     */
    String carryOut(Schedule.Planned planned, Moment moment)
            throws IOException, InterruptedException;

    /** Hears of the moments in which something was done. */
    interface Moment {
        /** Nothing is taken away any more; what is there needs time to come right. */
        void undone();

        /** For people: which replica, how many shards. */
        void tell(String what);
    }

    /** The registry, or this run, has not come right within a generous bound. */
    final class TroubleException extends RuntimeException {
        TroubleException(String message) {
            super(message);
        }
    }
}
