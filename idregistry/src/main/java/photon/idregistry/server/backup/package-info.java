/**
 * Answers the requests by which a registry is backed up and restored (docs/protocol.md section 10).
 * What a backup holds is in the module {@code registry-admin}. Used in the server's loop.
 */
@NullMarked
package photon.idregistry.server.backup;

import org.jspecify.annotations.NullMarked;
