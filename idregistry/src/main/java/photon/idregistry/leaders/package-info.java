/**
 * Who should lead a group, and when leadership moves there (docs/protocol.md section 9). Decides
 * only: {@code server.leaders.LeadershipTransfers} asks and transfers.
 */
@NullMarked
package photon.idregistry.leaders;

import org.jspecify.annotations.NullMarked;
