/** Loads the zstd library, which reads compressed logs and compresses the event store's index. */
@NullMarked
package photon.storage.zstd;

import org.jspecify.annotations.NullMarked;
