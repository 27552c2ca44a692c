package photon.joiner;

import java.util.OptionalLong;

/**
 * Whether a joiner's work gets through, at one moment of its main loop.
 *
 * @param status as it is then
 * @param oldestCommitNanos when the oldest commit was sent that the registry has not answered, by
 *     the main loop's clock ({@code System.nanoTime()} in a process); empty: none waits
 * @param oldestRenewalNanos the same of the renewals of its slot
 */
public record JoinerHealth(
        JoinerStatus status, OptionalLong oldestCommitNanos, OptionalLong oldestRenewalNanos) {}
