/**
 * Worlds of seeds: {@link photon.simulation.run.World} is one, {@link
 * photon.simulation.run.OneSeed} runs it and tells what came of it.
 */
@NullMarked
package photon.simulation.run;

import org.jspecify.annotations.NullMarked;
