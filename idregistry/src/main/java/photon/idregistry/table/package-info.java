/**
 * The ids of one shard and who holds them, in two tiers
 * (docs/decisions/0004-id-table-of-our-own.md): recent ones in {@link
 * photon.idregistry.table.Bucket}s on the heap, old ones in {@link
 * photon.idregistry.table.SealedFile}s with an overlay of what changed since. Start at {@link
 * photon.idregistry.table.IdTable}.
 *
 * <p>Time is cut into cells of two seconds, and one border, which only moves on, parts the tiers:
 * cells below it are sealed, those from it on are in memory. When a replica seals is its own
 * affair; nothing that it answers, counts or hashes depends on it.
 */
@NullMarked
package photon.idregistry.table;

import org.jspecify.annotations.NullMarked;
