/**
 * The requests that move ids: commit, lookup, remove, fence and scan, each to one shard
 * (docs/protocol.md sections 3 and 6), also where the shard is gone. Used in the server's loop.
 */
@NullMarked
package photon.idregistry.server.data;

import org.jspecify.annotations.NullMarked;
