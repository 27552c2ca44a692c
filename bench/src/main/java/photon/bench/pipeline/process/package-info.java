/**
 * What runs inside a measured process of {@code photon bench pipeline}: {@link
 * photon.bench.pipeline.process.LocalMain} for Photon, {@link
 * photon.bench.pipeline.process.FlinkMain} for Flink, and in both the same {@link
 * photon.bench.pipeline.process.Meter}, so that both are measured alike.
 *
 * <p>Everything here but {@code LocalMain} uses the JDK alone: Flink's class path holds no library
 * of Photon's.
 */
@NullMarked
package photon.bench.pipeline.process;

import org.jspecify.annotations.NullMarked;
