package photon.joiner.rules;

import static photon.core.error.Checks.check;

import java.time.Duration;
import photon.core.id.EventId;

/**
 * How far above the registry's boundary a first try must be, so that only an outage longer than
 * this lets its retries meet the boundary and end with an unknown outcome (docs/protocol.md section
 * 3).
 */
public final class ExpiryMargin {
    private final long marginMicros;

    public ExpiryMargin(Duration margin) {
        check(!margin.isNegative(), "Expected a margin of 0 or more, but got %s", margin);
        this.marginMicros = margin.toNanos() / 1_000;
    }

    public long micros() {
        return marginMicros;
    }

    /**
     * @param firstTry false: the id may be held for an earlier attempt or a lost one, and only the
     *     registry can tell
     * @param boundaryMicros {@link Long#MIN_VALUE}: none is known
     */
    public boolean permits(EventId id, boolean firstTry, long boundaryMicros) {
        return !firstTry
                || boundaryMicros == Long.MIN_VALUE
                || id.micros() - marginMicros >= boundaryMicros;
    }
}
