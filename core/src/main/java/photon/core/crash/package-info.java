/** Named points at which a test may halt a process, as a power cut would. */
@NullMarked
package photon.core.crash;

import org.jspecify.annotations.NullMarked;
