/**
 * One shard of the IdRegistry: which ids are joined, by whom, and the rules for saying so
 * (docs/protocol.md sections 3 to 5).
 *
 * <p>Start at {@link photon.idregistry.shard.ShardState}. A commit comes from the server through
 * the batcher and the replicated log to here, packed by {@link
 * photon.idregistry.shard.ShardEntries}, and its outcome goes back as {@link
 * photon.idregistry.shard.ShardResults} reads it. Nothing here knows a clock, a thread, a file or
 * the network; the ids and their holders are in a {@link photon.idregistry.table.IdTable}.
 */
@NullMarked
package photon.idregistry.shard;

import org.jspecify.annotations.NullMarked;
