/** Start at {@link photon.verifier.repair.RepairTest}. */
@NullMarked
package photon.verifier.repair;

import org.jspecify.annotations.NullMarked;
