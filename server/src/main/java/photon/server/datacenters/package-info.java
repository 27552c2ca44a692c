/**
 * Retires datacenters of a pipeline: what they have left, whether they may go, and that they do.
 */
@NullMarked
package photon.server.datacenters;

import org.jspecify.annotations.NullMarked;
