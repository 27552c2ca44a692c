/**
 * What is true in a simulated world, and whether the invariants hold in it. Start at {@link
 * photon.simulation.checks.GroundTruth}, which makes the input and knows what must become of it;
 * {@link photon.simulation.checks.Checkers} asks the checkers, one class an invariant. They read
 * files by the production readers, always in copies, and know no process.
 */
@NullMarked
package photon.simulation.checks;

import org.jspecify.annotations.NullMarked;
