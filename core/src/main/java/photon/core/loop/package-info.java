/**
 * One event loop owns each piece of state: its methods run in that loop only, others hand it a
 * message. In a process a loop is a thread; in the simulator all loops share one thread and one
 * virtual clock.
 */
@NullMarked
package photon.core.loop;

import org.jspecify.annotations.NullMarked;
