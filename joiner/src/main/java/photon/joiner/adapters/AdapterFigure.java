package photon.joiner.adapters;

import java.util.SortedMap;

/** What an adapter counts or times, a moment ago. */
public sealed interface AdapterFigure {
    /** As the adapter named it. */
    String name();

    /** As the adapter says what it is. */
    String help();

    /** A number that only grows. */
    record Count(String name, String help, long value) implements AdapterFigure {}

    /**
     * @param byMicros as {@link photon.core.metrics.DelayHistogram#counts}
     */
    record Delays(String name, String help, SortedMap<Long, Long> byMicros)
            implements AdapterFigure {}
}
