package photon.joiner.adapters;

import photon.proto.v1.Event;

/** Decides what becomes of a foreign event and its primary event. Thread-safe. */
public interface PairAdapter {
    /** Never throws. */
    AdapterDecision join(Event foreign, long foreignMicros, Event primary, long primaryMicros);

    /** True: quick and without I/O, so that it may run in the joiner's loop. */
    boolean runsInline();
}
