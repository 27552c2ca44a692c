package photon.joiner.rules;

import java.time.Duration;
import photon.core.id.EventId;
import photon.registry.api.ControlClient.Renewed;

/**
 * What an incarnation promises to the control group, so that no boundary passes what it holds and
 * has not published (docs/protocol.md section 5): it holds nothing below, and commits nothing
 * below. It is raised before that is told, and never lowered, so that late copies of a renewal say
 * nothing wrong.
 */
public final class Promise {
    /** Renewals are not for every second, whatever the margin is. */
    public static final Duration STEP_MIN = Duration.ofMinutes(2);

    private final long marginMicros;
    private final long stepMicros;
    private long micros = Long.MIN_VALUE;

    /**
     * @param expiryMargin so far above the boundary no first try is made anyway
     */
    public Promise(Duration expiryMargin) {
        Duration step = expiryMargin.compareTo(STEP_MIN) > 0 ? expiryMargin : STEP_MIN;
        this.marginMicros = expiryMargin.toNanos() / 1_000;
        this.stepMicros = step.toNanos() / 1_000;
    }

    public long micros() {
        return micros;
    }

    /** How far it may be ahead of the boundaries' limit. */
    public Duration step() {
        return Duration.ofNanos(stepMicros * 1_000);
    }

    /** True if the id must not be committed any more: a boundary may pass it at any time. */
    public boolean forbids(EventId id) {
        return id.micros() < micros;
    }

    /** At the start: nothing below the limit was ever committed, and nothing will be. */
    public void begin(long limitMicros) {
        micros = Math.max(micros, limitMicros);
    }

    /**
     * To where no first try is made anyway, but not above anything that is not published yet. In
     * steps: what a repair has brought back is committed anew before the boundary, which may have
     * been held back for days, has come to it.
     *
     * @param lowestUnpublishedMicros {@link Long#MAX_VALUE}: there is nothing
     * @return what is promised from now on
     */
    public long raise(Renewed heard, long lowestUnpublishedMicros) {
        if (heard.wantedMicros() != Long.MIN_VALUE) {
            long reach =
                    heard.limitMicros() == Long.MIN_VALUE
                            ? Long.MAX_VALUE
                            : heard.limitMicros() + stepMicros;
            long target = Math.min(reach, heard.wantedMicros() + marginMicros);
            micros = Math.max(micros, Math.min(target, lowestUnpublishedMicros));
        }
        return micros;
    }
}
