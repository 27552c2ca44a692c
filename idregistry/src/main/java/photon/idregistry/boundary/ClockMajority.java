package photon.idregistry.boundary;

import java.util.List;
import java.util.OptionalLong;

/**
 * What the clocks of the registry's servers come to.
 *
 * @param servers all of the registry
 * @param votes how many of their clocks are known to be synchronised
 * @param needed how many have to be
 * @param passedMicros as many as are needed have passed this, and it is the latest such time; empty
 *     if too few have a vote
 * @param without servers that have no vote, each with the reason
 */
public record ClockMajority(
        int servers, int votes, int needed, OptionalLong passedMicros, List<String> without) {
    public ClockMajority {
        without = List.copyOf(without);
    }

    /** Why nothing moves; empty: it does. */
    public String trouble() {
        return passedMicros.isPresent()
                ? ""
                : "%d of %d clocks are known to be synchronised, %d are needed: %s"
                        .formatted(votes, servers, needed, String.join("; ", without));
    }
}
