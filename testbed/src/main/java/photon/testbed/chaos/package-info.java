/**
 * {@code photon chaos registry}: replicas as processes, a load whose every answer is written down,
 * and all that happens to a registry in maintenance, at random from a seed. Start at {@link
 * photon.testbed.chaos.ChaosRun}; {@link photon.testbed.chaos.Schedule} says what happens when, a
 * {@link photon.testbed.chaos.ChaosAction} does it, and {@link photon.testbed.chaos.Judge} asks in
 * the end whether all answers together can be a registry's.
 */
@NullMarked
package photon.testbed.chaos;

import org.jspecify.annotations.NullMarked;
