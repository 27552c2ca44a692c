package photon.joiner.task;

import java.util.concurrent.Executor;

/**
 * Runs a user's adapter. {@link #execute} refuses with {@link
 * java.util.concurrent.RejectedExecutionException} when too much waits. Thread-safe.
 */
@FunctionalInterface
public interface AdapterThreads extends Executor {
    /** A call does not end, and keeps its thread: another one takes its place. */
    default void replaceOne() {}

    /** A call that was given up has ended: its thread is not needed any more. */
    default void dropOne() {}
}
