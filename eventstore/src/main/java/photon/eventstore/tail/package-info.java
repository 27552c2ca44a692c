/**
 * From the primary logs into index and cache. Start at {@link
 * photon.eventstore.tail.PrimaryIndexer}, which runs in the loop that owns the logs' tail and the
 * account of bad records.
 */
@NullMarked
package photon.eventstore.tail;

import org.jspecify.annotations.NullMarked;
