/**
 * What the bytes of a record mean: {@link photon.storage.format.EventParser} makes events of
 * records, by a stream's configuration. Decides only: no files, no clock.
 */
@NullMarked
package photon.storage.format;

import org.jspecify.annotations.NullMarked;
