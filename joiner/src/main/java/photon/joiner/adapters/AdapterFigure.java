package photon.joiner.adapters;

import java.util.List;
import java.util.SortedMap;

/** What an adapter counts or times, a moment ago. */
public sealed interface AdapterFigure {
    /** As the adapter named it. */
    String name();

    /** As the adapter says what it is. */
    String help();

    /**
     * A number that only grows.
     *
     * @param labels names and values in turn
     */
    record Count(String name, String help, long value, List<String> labels)
            implements AdapterFigure {
        public Count {
            labels = List.copyOf(labels);
        }

        /** Without labels. */
        public Count(String name, String help, long value) {
            this(name, help, value, List.of());
        }
    }

    /**
     * A number as it is now.
     *
     * @param labels as of {@link Count}
     */
    record Level(String name, String help, long value, List<String> labels)
            implements AdapterFigure {
        public Level {
            labels = List.copyOf(labels);
        }
    }

    /**
     * @param byMicros as {@link photon.core.metrics.DelayHistogram#counts}
     */
    record Delays(String name, String help, SortedMap<Long, Long> byMicros)
            implements AdapterFigure {}
}
