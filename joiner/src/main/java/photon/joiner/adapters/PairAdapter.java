package photon.joiner.adapters;

import java.util.List;
import org.jspecify.annotations.Nullable;
import photon.proto.v1.Event;

/** Decides what becomes of a foreign event and its primary event. Thread-safe. */
public interface PairAdapter extends AutoCloseable {
    /** Never throws. */
    AdapterDecision join(Event foreign, long foreignMicros, Event primary, long primaryMicros);

    /** Decides what becomes of a foreign event whose primary event has not come. Never throws. */
    default AdapterDecision unmatched(Event foreign, long foreignMicros) {
        return new AdapterDecision.Retry("this adapter joins pairs only");
    }

    /**
     * Decides what becomes of a pair whose foreign event was joined without its primary event
     * already. Never throws.
     */
    default AdapterDecision upgrade(
            Event foreign, long foreignMicros, Event primary, long primaryMicros) {
        return join(foreign, foreignMicros, primary, primaryMicros);
    }

    /** False: it joins pairs only, and {@link #joinAll} is given no others. */
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
        return pairs.stream().map(this::decideOne).toList();
    }

    private AdapterDecision decideOne(PairOfEvents pair) {
        Event primary = pair.primary();
        if (primary == null) {
            return unmatched(pair.foreign(), pair.foreignMicros());
        }
        return pair.upgrade()
                ? upgrade(pair.foreign(), pair.foreignMicros(), primary, pair.primaryMicros())
                : join(pair.foreign(), pair.foreignMicros(), primary, pair.primaryMicros());
    }

    /**
     * A foreign event and its primary event, with their times.
     *
     * @param primary null: it has not come
     * @param primaryMicros 0: it has not come
     * @param upgrade the foreign event was joined without its primary event already
     */
    record PairOfEvents(
            Event foreign,
            long foreignMicros,
            @Nullable Event primary,
            long primaryMicros,
            boolean upgrade) {
        /** A pair that is joined for the first time. */
        public PairOfEvents(Event foreign, long foreignMicros, Event primary, long primaryMicros) {
            this(foreign, foreignMicros, primary, primaryMicros, false);
        }

        public static PairOfEvents unmatched(Event foreign, long foreignMicros) {
            return new PairOfEvents(foreign, foreignMicros, null, 0, false);
        }
    }

    AdapterFingerprint fingerprint();

    /** What it counts and times itself. */
    default List<AdapterFigure> figures() {
        return List.of();
    }

    /** Never throws. It is not called any more, except by threads that nobody could end. */
    @Override
    default void close() {}
}
