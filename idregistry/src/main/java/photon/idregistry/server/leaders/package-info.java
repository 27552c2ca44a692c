/**
 * Asks for leadership of a group and gives it away (docs/protocol.md section 9), as {@code
 * photon.idregistry.leaders} decides.
 */
@NullMarked
package photon.idregistry.server.leaders;

import org.jspecify.annotations.NullMarked;
