/**
 * What goes wrong in a world, and when. A seed draws which kinds it has and how often each ({@link
 * photon.simulation.faults.FaultPlan}), so that some worlds have much of one trouble and others a
 * little of all; {@link photon.simulation.faults.Injector} carries them out.
 */
@NullMarked
package photon.simulation.faults;

import org.jspecify.annotations.NullMarked;
