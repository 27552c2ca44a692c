package photon.eventstore.tail;

import java.util.OptionalLong;

/**
 * Whether the primary logs can be read, at one moment of the loop that reads them.
 *
 * @param failingNanos since when they cannot, by that loop's clock ({@code System.nanoTime()} in a
 *     process); empty: they can
 * @param trouble why they could not, the last time
 */
public record TailHealth(OptionalLong failingNanos, String trouble) {}
