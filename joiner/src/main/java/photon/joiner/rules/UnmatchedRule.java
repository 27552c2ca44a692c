package photon.joiner.rules;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import photon.core.config.PipelineConfig;
import photon.core.id.EventId;

/**
 * When a foreign event whose primary event was not found is joined without one (docs/protocol.md
 * section 13). It is a decision for good: the id is committed, and a primary event that comes later
 * changes nothing. So it is taken only where the event store has read all there is, and where the
 * clock cannot be early. Immutable.
 */
public final class UnmatchedRule {
    /**
     * From an event's line in a log until the event store is sure to have it, where that has read
     * all there is: beside the time between two looks at the directories.
     */
    static final Duration READING = Duration.ofSeconds(5);

    /** Empty: never. */
    private final Optional<Long> waitMicros;

    private UnmatchedRule(Optional<Duration> wait) {
        this.waitMicros = wait.map(d -> TimeUnit.MILLISECONDS.toMicros(d.toMillis()));
    }

    public static UnmatchedRule of(PipelineConfig config) {
        Duration reading = READING.plus(config.primary().input().listEvery());
        return new UnmatchedRule(config.unmatched().map(u -> u.after().plus(reading)));
    }

    /** What finds no primary event waits for it. */
    public static UnmatchedRule never() {
        return new UnmatchedRule(Optional.empty());
    }

    /** False: every event waits for its primary event. */
    public boolean isOn() {
        return waitMicros.isPresent();
    }

    /**
     * @param allRead what the event store says of the lookup that found nothing
     * @param earliestMicros what the time was at least when that was asked; {@link Long#MIN_VALUE}:
     *     nobody knows, since the clock is not synchronised
     */
    public boolean permits(EventId id, boolean allRead, long earliestMicros) {
        return waitMicros.isPresent()
                && allRead
                && earliestMicros != Long.MIN_VALUE
                && earliestMicros - id.micros() >= waitMicros.get();
    }
}
