package photon.joiner.incarnation;

import photon.core.id.Incarnation;
import photon.joiner.task.TaskEnd;

/** Hears of a joiner's lives, in its main loop. */
public interface LifeListener {
    /** It serves as this incarnation from now on. */
    default void serving(Incarnation incarnation) {}

    /**
     * An incarnation has ended, and the joiner starts over, after a backoff.
     *
     * @param inARow how many have ended since something was last published: a full disk, say,
     *     raises it, also while it has room for a few records more, but not for their published
     *     file
     */
    default void startsOver(Incarnation ended, TaskEnd end, String reason, int inARow) {}

    /** Another process has this joiner's slot: it has stopped for good. Names both addresses. */
    default void slotTakenOver(String message) {}

    /** Calls of the adapter do not end: a new process is needed. It still serves. */
    default void adapterDoesNotEnd(String message) {}

    /**
     * The registry refuses it for its configuration: it has stopped for good. Says what to change.
     */
    default void refused(String message) {}
}
