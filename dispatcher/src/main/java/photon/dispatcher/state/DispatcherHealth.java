package photon.dispatcher.state;

import java.util.OptionalLong;

/**
 * Whether a dispatcher's reading gets through, at one moment of its main loop.
 *
 * @param readingNanos since when foreign logs cannot be read, or else when the read of them began
 *     that has not ended, by the main loop's clock ({@code System.nanoTime()} in a process); empty:
 *     none is under way
 * @param trouble why the logs cannot be read; empty: they can, as far as is known
 */
public record DispatcherHealth(OptionalLong readingNanos, String trouble) {}
