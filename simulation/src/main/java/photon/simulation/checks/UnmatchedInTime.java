package photon.simulation.checks;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import photon.core.id.EventId;

/**
 * A foreign event is joined without its primary event only when its time is over, and only where
 * the primary event had not come by then. Not thread-safe.
 */
public final class UnmatchedInTime {
    private final GroundTruth truth;
    private final long afterMicros;
    private final Map<String, Site> sites;

    /** A datacenter. */
    public interface Site {
        /**
         * The latest time that the clock of a joiner ever told to have passed, while it believed
         * that.
         */
        long highestToldMicros();

        /** The clock of no joiner ever ran away from the time that it tells. */
        boolean clocksWereRight();

        /** When a line was in a primary log for the first time, true time; empty: it is in none. */
        OptionalLong primaryCameMicros(String line);
    }

    /**
     * @param after so long a primary event is waited for
     * @param sites by name
     */
    public UnmatchedInTime(GroundTruth truth, Duration after, Map<String, Site> sites) {
        this.truth = truth;
        this.afterMicros = TimeUnit.MILLISECONDS.toMicros(after.toMillis());
        this.sites = Map.copyOf(sites);
    }

    /**
     * What is wrong with an event that is joined without its primary event; null: nothing.
     *
     * @param datacenter where it is joined
     */
    @Nullable String problem(EventId id, String datacenter) {
        ForeignIdentity identity = requireNonNull(truth.identity(id), "a known identity");
        Site here = requireNonNull(sites.get(datacenter), "site " + datacenter);
        long overMicros = id.micros() + afterMicros;
        if (here.highestToldMicros() < overMicros) {
            return "joined without its primary event %d ms before its time was over"
                    .formatted((overMicros - here.highestToldMicros()) / 1_000);
        }
        OptionalLong came =
                identity.primaryLines().stream()
                        .map(here::primaryCameMicros)
                        .filter(OptionalLong::isPresent)
                        .mapToLong(OptionalLong::getAsLong)
                        .min();
        if (came.isPresent() && came.getAsLong() <= overMicros && here.clocksWereRight()) {
            return "joined without its primary event, which had come %d ms before its time was over"
                    .formatted((overMicros - came.getAsLong()) / 1_000);
        }
        return null;
    }
}
