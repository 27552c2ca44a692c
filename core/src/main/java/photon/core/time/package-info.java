/** Time that knows its own uncertainty. Clocks buy liveness, never safety (invariant I5). */
@NullMarked
package photon.core.time;

import org.jspecify.annotations.NullMarked;
