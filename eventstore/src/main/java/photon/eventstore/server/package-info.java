/**
 * The event store as a daemon. Start at {@link photon.eventstore.server.EventStoreServer}: it holds
 * every thread of this module and the only gRPC.
 */
@NullMarked
package photon.eventstore.server;

import org.jspecify.annotations.NullMarked;
