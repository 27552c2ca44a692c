/**
 * The disks of the simulated datacenters. Start at {@link photon.simulation.disk.DatacenterDisk}:
 * one tree of files, which every process life sees through its own {@link
 * photon.simulation.disk.ProcessFiles}, and what goes wrong with it: {@link
 * photon.simulation.disk.DiskFaults}.
 */
@NullMarked
package photon.simulation.disk;

import org.jspecify.annotations.NullMarked;
