/**
 * What a server does so that a pipeline gets another shard map, and is rid of the old one
 * (docs/protocol.md section 4). What to do is decided in {@code photon.idregistry.reshard}. All of
 * it runs in the server's loop.
 */
@NullMarked
package photon.idregistry.server.reshard;

import org.jspecify.annotations.NullMarked;
