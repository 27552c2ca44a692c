/** Foreign logs and output directories in memory. */
@NullMarked
package photon.verifier.source;

import org.jspecify.annotations.NullMarked;
