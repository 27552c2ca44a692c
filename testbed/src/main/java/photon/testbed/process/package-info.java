/**
 * Other processes: {@link photon.testbed.process.Fleet} starts photon's daemons in Java VMs of
 * their own, hears what they tell, kills them, and leaves none behind.
 */
@NullMarked
package photon.testbed.process;

import org.jspecify.annotations.NullMarked;
