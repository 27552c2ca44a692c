/**
 * Who works on what several machines share: a list of nodes, leases of partitions, which save work,
 * and the numbers that they give out, which fence (docs/protocol.md section 7). No lease guards a
 * file.
 */
@NullMarked
package photon.storage.lease;

import org.jspecify.annotations.NullMarked;
