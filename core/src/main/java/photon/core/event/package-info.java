/** An event as the pipeline carries it, the same for both streams. */
@NullMarked
package photon.core.event;

import org.jspecify.annotations.NullMarked;
