/**
 * {@code photon local}: every part of two or more datacenters in one process, speaking gRPC and
 * Raft over loopback as separate processes would. Start at {@link photon.server.local.LocalRun}.
 */
@NullMarked
package photon.server.local;

import org.jspecify.annotations.NullMarked;
