/**
 * {@code photon local}: every part of two or more datacenters in one process, speaking gRPC and
 * Raft over loopback as separate processes would. Start at {@link photon.cli.local.LocalRun}.
 */
@NullMarked
package photon.cli.local;

import org.jspecify.annotations.NullMarked;
