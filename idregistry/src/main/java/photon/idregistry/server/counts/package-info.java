/**
 * What a server has done since its start, and how long that took: measured beside the work, which
 * it does not change.
 */
@NullMarked
package photon.idregistry.server.counts;

import org.jspecify.annotations.NullMarked;
