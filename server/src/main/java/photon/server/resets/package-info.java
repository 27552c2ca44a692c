/**
 * Has a dispatcher read its logs from elsewhere, or an event store build its index anew: what that
 * would mean, and that it is done.
 */
@NullMarked
package photon.server.resets;

import org.jspecify.annotations.NullMarked;
