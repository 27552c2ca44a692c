/**
 * Other processes: {@link photon.testbed.process.Fleet} starts photon's daemons in Java VMs of
 * their own, hears what they tell, kills them, and leaves none behind; a {@link
 * photon.testbed.process.Link} carries, delays or cuts the connections between two of them.
 */
@NullMarked
package photon.testbed.process;

import org.jspecify.annotations.NullMarked;
