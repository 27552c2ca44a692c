package photon.joiner.adapters;

import java.util.List;
import photon.proto.v1.Event;

/** Decides what becomes of a foreign event and its primary event. Thread-safe. */
public interface PairAdapter extends AutoCloseable {
    /** Never throws. */
    AdapterDecision join(Event foreign, long foreignMicros, Event primary, long primaryMicros);

    /** Decides what becomes of a foreign event whose primary event has not come. Never throws. */
    default AdapterDecision unmatched(Event foreign, long foreignMicros) {
        return new AdapterDecision.Retry("this adapter joins pairs only");
    }

    /** False: it joins pairs only. */
    default boolean takesUnmatched() {
        return false;
    }

    /** True: quick and without I/O, so that it may run in the joiner's loop. */
    boolean runsInline();

    /**
     * True: {@link #joinAll} is quick for many pairs at a time, and sees to it that no pair takes
     * longer than {@code adapter.timeout}.
     */
    default boolean bounds() {
        return false;
    }

    /** A decision for each pair, in order. Never throws. */
    default List<AdapterDecision> joinAll(List<PairOfEvents> pairs) {
        return pairs.stream()
                .map(
                        pair ->
                                join(
                                        pair.foreign(),
                                        pair.foreignMicros(),
                                        pair.primary(),
                                        pair.primaryMicros()))
                .toList();
    }

    /** A foreign event and its primary event, with their times. */
    record PairOfEvents(Event foreign, long foreignMicros, Event primary, long primaryMicros) {}

    AdapterFingerprint fingerprint();

    /** What it counts and times itself. */
    default List<AdapterFigure> figures() {
        return List.of();
    }

    /** Never throws. It is not called any more, except by threads that nobody could end. */
    @Override
    default void close() {}
}
