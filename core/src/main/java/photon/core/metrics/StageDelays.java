package photon.core.metrics;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;

/**
 * How long events took for each stage of a way, since the start: a {@link DelayHistogram} a stage.
 * Recorded by one thread, without making an object; read by any.
 *
 * @param <S> the stages, in the order in which an event passes them
 */
public final class StageDelays<S extends Enum<S>> {
    private final EnumMap<S, DelayHistogram> delays;

    public StageDelays(Class<S> stages) {
        this.delays = new EnumMap<>(stages);
        for (S stage : stages.getEnumConstants()) {
            delays.put(stage, new DelayHistogram());
        }
    }

    /**
     * An event is through a stage.
     *
     * @param micros below 0 counts as 0
     */
    public void record(S stage, long micros) {
        requireNonNull(delays.get(stage)).record(micros);
    }

    /**
     * A moment ago.
     *
     * @return by the stage's name in small letters, in the order of the way, what {@link
     *     DelayHistogram#counts} tells
     */
    public Map<String, SortedMap<Long, Long>> counts() {
        Map<String, SortedMap<Long, Long>> counts = new LinkedHashMap<>();
        delays.forEach((stage, d) -> counts.put(stage.name().toLowerCase(Locale.ROOT), d.counts()));
        return Collections.unmodifiableMap(counts);
    }
}
