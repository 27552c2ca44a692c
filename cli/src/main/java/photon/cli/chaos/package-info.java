/**
 * {@code photon chaos registry}: replicas as processes, a load whose every answer is written down,
 * and all that happens to a registry in maintenance, at random from a seed. Start at {@link
 * photon.cli.chaos.ChaosRun}; {@link photon.cli.chaos.Schedule} says what happens when, a {@link
 * photon.cli.chaos.Happening} does it, and {@link photon.cli.chaos.Judge} asks in the end whether
 * all answers together can be a registry's.
 */
@NullMarked
package photon.cli.chaos;

import org.jspecify.annotations.NullMarked;
