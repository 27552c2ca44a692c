/**
 * One thread, one virtual clock, one source of randomness. {@link
 * photon.simulation.kernel.Timeline} decides what happens next; everything that a simulated process
 * does goes through its {@link photon.simulation.kernel.Life}.
 */
@NullMarked
package photon.simulation.kernel;

import org.jspecify.annotations.NullMarked;
