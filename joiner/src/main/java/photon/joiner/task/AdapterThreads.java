package photon.joiner.task;

import java.util.concurrent.Executor;

/**
 * Runs a user's adapter. {@link #execute} refuses with {@link
 * java.util.concurrent.RejectedExecutionException} when too much waits. Thread-safe.
 */
@FunctionalInterface
public interface AdapterThreads extends Executor {
    /**
     * A call does not end, and keeps its thread: another one takes its place.
     *
     * @return how many calls keep a thread so, of all incarnations of this process
     */
    default int replaceOne() {
        return 1;
    }

    /** A call that was given up has ended: its thread is not needed any more. */
    default void dropOne() {}
}
