/** Resets how far a dispatcher has read its logs: what that would mean, and that it is done. */
@NullMarked
package photon.server.resets;

import org.jspecify.annotations.NullMarked;
