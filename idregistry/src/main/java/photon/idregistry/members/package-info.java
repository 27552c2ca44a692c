/**
 * Which servers are members, which disk stands behind each one's name, who may start, and how a
 * group's members are brought to what the control group has decided (docs/protocol.md section 11).
 * Decides only: {@code server.members} asks and does.
 */
@NullMarked
package photon.idregistry.members;

import org.jspecify.annotations.NullMarked;
