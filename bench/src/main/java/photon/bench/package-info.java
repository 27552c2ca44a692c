/**
 * Benchmarks. The whole pipeline: {@link photon.bench.pipeline.PipelineBench}; the id table alone:
 * {@link photon.bench.TableBench}.
 */
@NullMarked
package photon.bench;

import org.jspecify.annotations.NullMarked;
