/**
 * Planted bugs: each takes one rule of docs/protocol.md out of the production code, in memory, and
 * must be caught by the simulator, or by a test of a module (docs/testing.md). Start at {@link
 * photon.simulation.bugs.PlantedBugs}, the list; {@link photon.simulation.bugs.MutatedClasses} runs
 * a world, or a test, with a bug in it beside others in one JVM.
 */
@NullMarked
package photon.simulation.bugs;

import org.jspecify.annotations.NullMarked;
