/**
 * Asks the servers for their clocks and moves the boundary below which ids are refused and dropped
 * (docs/protocol.md section 5), as far as {@code photon.idregistry.boundary} allows.
 */
@NullMarked
package photon.idregistry.server.boundary;

import org.jspecify.annotations.NullMarked;
