/**
 * Measures an adapter in a process of its own: {@link photon.bench.adapter.RemoteAdapterBench}
 * (docs/benchmarks.md).
 */
@NullMarked
package photon.bench.adapter;

import org.jspecify.annotations.NullMarked;
