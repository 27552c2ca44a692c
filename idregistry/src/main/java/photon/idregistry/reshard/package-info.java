/**
 * How a pipeline gets another shard map while ids flow (docs/protocol.md section 4): {@link
 * photon.idregistry.reshard.ReshardCoordinator} leads one attempt to its decision, in the server
 * that leads the control group, and {@link photon.idregistry.reshard.ShardUpkeep} brings every
 * group to what the control group has decided, whoever has crashed. Both only decide; they know no
 * clock, loop or network.
 */
@NullMarked
package photon.idregistry.reshard;

import org.jspecify.annotations.NullMarked;
