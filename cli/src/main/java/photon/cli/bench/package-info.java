/**
 * {@code photon bench}: the parts under load, as processes of their own, and what they did.
 *
 * <p>Start at {@link photon.cli.bench.RegistryBench}, which is one run from its first process to
 * its result. {@link photon.cli.bench.BenchIds} says what is committed, {@link
 * photon.cli.bench.CommitLoad} and {@link photon.cli.bench.LookupLoad} send it, {@link
 * photon.cli.bench.Referee} judges the answers, and {@link photon.cli.bench.ProcessFigures} reads
 * what it has cost.
 */
@NullMarked
package photon.cli.bench;

import org.jspecify.annotations.NullMarked;
