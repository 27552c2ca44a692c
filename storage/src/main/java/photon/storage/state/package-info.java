/** Where a daemon's state lies, and which one it is. */
@NullMarked
package photon.storage.state;

import org.jspecify.annotations.NullMarked;
