/** Reading input logs as they grow. Start at {@link photon.storage.tail.LogTail}. */
@NullMarked
package photon.storage.tail;

import org.jspecify.annotations.NullMarked;
