/** Which of several dispatchers works with the datacenter's state. */
@NullMarked
package photon.dispatcher.lease;

import org.jspecify.annotations.NullMarked;
