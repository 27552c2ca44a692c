package photon.joiner.rules;

import photon.core.id.EventId;

/** Says by how much an id's time is outside of what the registry takes; for people. */
public final class OutOfTime {
    /** How every such answer of the registry begins. */
    public static final String BELOW = "below the registry's boundary";

    private static final long SECOND = 1_000_000;
    private static final String[] UNITS = {"d", "h", "min", "s"};
    private static final long[] MICROS = {86_400 * SECOND, 3_600 * SECOND, 60 * SECOND, SECOND};

    private OutOfTime() {}

    /**
     * The registry has said so.
     *
     * @param boundaryMicros as last heard of any shard
     */
    public static String below(EventId id, long boundaryMicros) {
        return BELOW + (boundaryMicros > id.micros() ? by(boundaryMicros - id.micros()) : "");
    }

    /** It was not asked: a first try keeps a margin. */
    public static String nearBoundary(EventId id, long boundaryMicros, long marginMicros) {
        long above = id.micros() - boundaryMicros;
        return "too near the registry's boundary: %s %s it, expected %s above"
                .formatted(
                        length(Math.abs(above)),
                        above < 0 ? "below" : "above",
                        length(marginMicros));
    }

    /** It was not asked: this incarnation has promised to commit nothing below. */
    public static String promised(EventId id, long promisedMicros) {
        return "too near the registry's boundary: this joiner commits nothing so old any more"
                + by(promisedMicros - id.micros());
    }

    /**
     * @param latestMicros what the registry let in when it last refused something later; the
     *     highest int64 if it has not said
     */
    public static String ahead(EventId id, long latestMicros) {
        return "later than the registry's clock allows" + by(id.micros() - latestMicros);
    }

    /** Shards, and moments, differ: what is not plain is not said. */
    private static String by(long micros) {
        return micros > 0 ? ", by " + length(micros) : "";
    }

    /** In the largest unit of which there are two or more. */
    static String length(long micros) {
        for (int i = 0; i < UNITS.length; i++) {
            if (micros >= 2 * MICROS[i]) {
                return micros / MICROS[i] + " " + UNITS[i];
            }
        }
        return micros / 1_000 + " ms";
    }
}
