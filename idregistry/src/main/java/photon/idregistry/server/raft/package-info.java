/** The groups as Raft replicas, and where their ids are kept: simulated groups have neither. */
@NullMarked
package photon.idregistry.server.raft;

import org.jspecify.annotations.NullMarked;
