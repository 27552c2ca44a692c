/**
 * The real parts as simulated processes. Start at {@link
 * photon.simulation.parts.SimulatedDatacenter}: a {@link photon.simulation.parts.ProcessHost} for
 * each process, which builds the production component anew in each life, as the daemons of {@code
 * photon run} do, and the producers of the input, {@link photon.simulation.parts.InputLogs}.
 */
@NullMarked
package photon.simulation.parts;

import org.jspecify.annotations.NullMarked;
