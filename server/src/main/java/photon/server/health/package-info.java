/**
 * Whether a daemon's work gets through. What decides is plain and takes the time as an argument:
 * {@link photon.server.health.CheckRun}, {@link photon.server.health.PeerState}, {@link
 * photon.server.health.HealthLog}. {@link photon.server.health.HealthMonitor} asks and tells, and
 * {@link photon.server.health.GrpcHealth} repeats it over gRPC. Start with the monitor.
 */
@NullMarked
package photon.server.health;

import org.jspecify.annotations.NullMarked;
