package photon.joiner.adapters;

import java.util.List;
import photon.proto.v1.Event;

/** Decides what becomes of a foreign event and its primary event. Thread-safe. */
public interface PairAdapter extends AutoCloseable {
    /** Never throws. */
    AdapterDecision join(Event foreign, long foreignMicros, Event primary, long primaryMicros);

    /** True: quick and without I/O, so that it may run in the joiner's loop. */
    boolean runsInline();

    AdapterFingerprint fingerprint();

    /** What it counts and times itself. */
    default List<AdapterFigure> figures() {
        return List.of();
    }

    /** Never throws. It is not called any more, except by threads that nobody could end. */
    @Override
    default void close() {}
}
