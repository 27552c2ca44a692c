/**
 * Who works on what several machines share: leases, which save work, and the numbers that they give
 * out, which fence (docs/protocol.md section 7). No lease guards a file.
 */
@NullMarked
package photon.storage.lease;

import org.jspecify.annotations.NullMarked;
