/**
 * How the results of simulated worlds are shown: {@link photon.tools.simulate.SimulationText} to
 * people, {@link photon.tools.simulate.SimulationJson} to programs, {@link
 * photon.tools.simulate.Progress} while they run. The worlds themselves are in {@code
 * photon.simulation}.
 */
@NullMarked
package photon.tools.simulate;

import org.jspecify.annotations.NullMarked;
