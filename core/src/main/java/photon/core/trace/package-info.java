/** Which attempts at events are traced, and what is told of them: measures, and decides nothing. */
@NullMarked
package photon.core.trace;

import org.jspecify.annotations.NullMarked;
