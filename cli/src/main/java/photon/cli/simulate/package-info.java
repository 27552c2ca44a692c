/**
 * How the results of simulated worlds are shown: {@link photon.cli.simulate.SimulationText} to
 * people, {@link photon.cli.simulate.SimulationJson} to programs, {@link
 * photon.cli.simulate.Progress} while they run. The worlds themselves are in {@code
 * photon.simulation}.
 */
@NullMarked
package photon.cli.simulate;

import org.jspecify.annotations.NullMarked;
