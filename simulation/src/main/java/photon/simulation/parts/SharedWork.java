package photon.simulation.parts;

import java.time.Duration;

/**
 * How several dispatchers of a datacenter share its state.
 *
 * @param term of their leases
 * @param partitions into which the state is divided
 */
public record SharedWork(Duration term, int partitions) {}
