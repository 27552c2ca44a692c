package photon.adapter;

import java.util.Map;

/**
 * Joins a foreign event with its primary event. The configuration names its jar ({@code
 * adapter.jar}) and its class ({@code adapter.class}), which needs a public constructor without
 * parameters. Called by several threads at a time.
 *
 * <p>It runs before the commit, perhaps several times and in several datacenters, and any of these
 * calls may be the one whose result is written. So it must be deterministic in the pair, and what
 * may happen once only belongs behind the published output.
 */
public interface Adapter {
    /**
     * Called once, before the first {@link #join}. What it throws ends the start with exit status
     * 2. It may be called, and {@link #close} after it, for nothing but to see whether the adapter
     * starts.
     *
     * @since 1.1
     */
    default void start(AdapterContext context) {
        configure(context.options().asMap());
    }

    /**
     * All that an adapter of API 1.0 hears before the first {@link #join}; later ones use start.
     */
    default void configure(Map<String, String> options) {}

    /**
     * Called once, when nothing is joined any more; a call of {@link #join} that does not heed its
     * interruption may still run.
     *
     * @since 1.1
     */
    default void close() {}

    /**
     * What a call of {@link #join} may do besides returning. A {@link Effect#POTENT} adapter is
     * refused at start.
     */
    default Effect effect() {
        return Effect.SAFE;
    }

    /**
     * Decides what becomes of a pair: calls methods of {@code result}, or throws. An exception
     * counts as {@link Result#retry}. A call that takes longer than {@code adapter.timeout} is
     * interrupted, and counts as a retry too, whatever it has called; one that does not heed the
     * interruption costs the joiner a thread.
     */
    void join(SourceEvent foreign, SourceEvent primary, Result result);

    /**
     * Decides what becomes of a foreign event whose primary event has not come within {@code
     * unmatched.after}. Called only where the configuration has that key, and then it must be
     * there: an adapter that leaves it out is refused at start. All that is said of {@link #join}
     * holds of it. Mark what it emits, so that readers can tell it from a pair.
     *
     * @since 1.2
     */
    default void unmatched(SourceEvent foreign, Result result) {
        result.retry("this adapter joins pairs only");
    }

    /**
     * Decides what an event that was joined without its primary event becomes when that has come
     * after all. Called only where the configuration has {@code unmatched.upgrade}; then the result
     * is written besides what {@link #unmatched} has emitted, which stands in a published file. All
     * that is said of {@link #join} holds of it. Mark what it emits, so that readers can tell it
     * from a pair that was joined at once: left out, this is {@link #join}, without a mark.
     *
     * @since 1.3
     */
    default void upgrade(SourceEvent foreign, SourceEvent primary, Result result) {
        join(foreign, primary, result);
    }

    /** What calling it again does. */
    enum Effect {
        /** Nothing but the result. */
        SAFE,
        /** The same as calling it once. */
        IDEMPOTENT,
        /** May run once only. */
        POTENT
    }

    /**
     * Takes the decision. Emit any number of events, or else call exactly one of the others;
     * neither: it is skipped.
     */
    interface Result {
        /**
         * Adds a joined event to the main output. JSON lines: one JSON object, UTF-8, without a
         * line feed.
         */
        void emit(byte[] joined);

        /** Adds a joined event to a named output: letters, digits, '-' and '_'. */
        void emit(String output, byte[] joined);

        /** Leaves the foreign event out for good; it is counted under the reason. */
        void skip(String reason);

        /** Tries again later: something that this call needed is away. */
        void retry(String reason);

        /** Refuses the foreign event for good: it goes to the dead-letter log. */
        void reject(String reason);
    }
}
