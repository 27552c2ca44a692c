/**
 * What a server does about members and disks: whose its directory and its disk are, whether it may
 * start, and that every group gets the members decided for it (docs/protocol.md section 11). The
 * decisions are in {@code photon.idregistry.members}.
 */
@NullMarked
package photon.idregistry.server.members;

import org.jspecify.annotations.NullMarked;
