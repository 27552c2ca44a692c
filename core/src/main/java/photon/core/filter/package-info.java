/**
 * Filters that say of most keys that they are not in a file, without reading it. Shared by the
 * registry's sealed files and the event store's index.
 */
@NullMarked
package photon.core.filter;

import org.jspecify.annotations.NullMarked;
