/**
 * {@code photon bench pipeline}: one load, joined by {@code photon local} and, if wanted, by Flink,
 * each in a process of its own.
 *
 * <p>Start at {@link photon.bench.pipeline.PipelineBench}, which is one run. {@link
 * photon.bench.pipeline.PipelineLoad} makes the logs and knows the right answer, {@link
 * photon.bench.pipeline.AnswerCheck} judges what was joined, {@link
 * photon.bench.pipeline.RunFigures} is the arithmetic on what a process reported.
 */
@NullMarked
package photon.bench.pipeline;

import org.jspecify.annotations.NullMarked;
