package photon.joiner.rules;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import photon.core.config.PipelineConfig;
import photon.core.id.EventId;
import photon.proto.v1.JoinResult.Status;

/**
 * When a foreign event whose primary event was not found is joined without one (docs/protocol.md
 * section 13). It is a decision for good: the id is committed. So it is taken only where the event
 * store has read all there is, and where the clock cannot be early. Immutable.
 */
public final class UnmatchedRule {
    /**
     * From an event's line in a log until the event store is sure to have it, where that has read
     * all there is: beside the time between two looks at the directories.
     */
    static final Duration READING = Duration.ofSeconds(5);

    /** Empty: never. */
    private final Optional<Long> waitMicros;

    private final boolean upgrades;

    private UnmatchedRule(Optional<Duration> wait, boolean upgrades) {
        this.upgrades = upgrades;
        this.waitMicros = wait.map(d -> TimeUnit.MILLISECONDS.toMicros(d.toMillis()));
    }

    public static UnmatchedRule of(PipelineConfig config) {
        Duration reading = READING.plus(config.primary().input().listEvery());
        return new UnmatchedRule(
                config.unmatched().map(u -> u.after().plus(reading)),
                config.unmatched().map(PipelineConfig.Unmatched::upgrade).orElse(false));
    }

    /** What finds no primary event waits for it. */
    public static UnmatchedRule never() {
        return new UnmatchedRule(Optional.empty(), false);
    }

    /** An event that was joined without its primary event is joined once more when that comes. */
    public boolean upgrades() {
        return upgrades;
    }

    /**
     * What the asker hears of an upgrade's attempt: whatever becomes of that, the event is joined.
     * {@code JOINED} here means without its primary event: the asker watches it, and the upgrade is
     * tried again.
     */
    public static Status ofUpgrade(Attempt upgrade, Status status) {
        return switch (status) {
            case JOINED -> Status.UPGRADED;
            case SKIPPED, REJECTED, ID_TOO_OLD, OUTCOME_LOST -> Status.JOINED_ELSEWHERE;
            case RETRY_EVENT -> upgrade.isUpgradeOfOpenEvent() ? Status.JOINED : status;
            default -> status;
        };
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
