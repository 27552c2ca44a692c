/**
 * What {@code photon bench pipeline --compare flink} compares Photon with. Start at {@link
 * photon.bench.flink.FlinkJoin}.
 */
@NullMarked
package photon.bench.flink;

import org.jspecify.annotations.NullMarked;
