/** Benchmarks of the whole system. Start at {@link photon.bench.PipelineBench}. */
@NullMarked
package photon.bench;

import org.jspecify.annotations.NullMarked;
