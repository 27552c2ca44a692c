/** What a part measures of itself: kept in bounded memory, read from anywhere. */
@NullMarked
package photon.core.metrics;

import org.jspecify.annotations.NullMarked;
