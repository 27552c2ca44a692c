package photon.testbed.history;

import photon.testbed.history.IdSearch.State;

/**
 * One thing that happens to an id at one moment between a start and an end, and what it does to the
 * id's state.
 *
 * @param effect gives the state behind it, or null if it cannot happen in this state with the
 *     answer that was given
 * @param text for people
 */
record Step(long startNanos, long endNanos, Effect effect, String text) {
    /** What a step does. */
    @FunctionalInterface
    interface Effect {
        @org.jspecify.annotations.Nullable
        State on(State state);
    }

    /** It may happen later than everything, or never. */
    boolean neverEnds() {
        return endNanos == Operation.NEVER;
    }
}
