/**
 * Measures the repair of one large incarnation: {@link photon.bench.repair.RepairBench}
 * (docs/benchmarks.md).
 */
@NullMarked
package photon.bench.repair;

import org.jspecify.annotations.NullMarked;
