/**
 * What a server tells people of itself and of its replicas, from their own state. Used in the
 * server's loop.
 */
@NullMarked
package photon.idregistry.server.status;

import org.jspecify.annotations.NullMarked;
