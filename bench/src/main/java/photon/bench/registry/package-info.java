/**
 * {@code photon bench}: the parts under load, as processes of their own, and what they did.
 *
 * <p>Start at {@link photon.bench.registry.RegistryBench}, which is one run from its first process
 * to its result. {@link photon.bench.registry.BenchIds} says what is committed, {@link
 * photon.bench.registry.CommitLoad} and {@link photon.bench.registry.LookupLoad} send it, {@link
 * photon.bench.registry.Referee} judges the answers, and {@link
 * photon.bench.registry.ProcessFigures} reads what it has cost.
 */
@NullMarked
package photon.bench.registry;

import org.jspecify.annotations.NullMarked;
