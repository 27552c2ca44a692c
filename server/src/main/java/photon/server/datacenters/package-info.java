/**
 * Where a datacenter's files lie; and how datacenters of a pipeline are retired: what they have
 * left, whether they may go, and that they do.
 */
@NullMarked
package photon.server.datacenters;

import org.jspecify.annotations.NullMarked;
