/** Hashes that are the same in every process and version. */
@NullMarked
package photon.core.hash;

import org.jspecify.annotations.NullMarked;
