package photon.idregistry.server.groups;

import photon.idregistry.batch.CommitBatcher;
import photon.idregistry.shard.ShardState;

/**
 * What this server has of one shard. Owned by the server's loop.
 *
 * @param commits the way of commits into the log
 * @param entries the way of everything else
 * @param reads of the replica's state by others
 */
public record ShardGroup(
        Group<ShardState> group, CommitBatcher commits, DirectEntries entries, GroupReads reads) {}
