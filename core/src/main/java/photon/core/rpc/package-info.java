/**
 * Calls between the parts. Decision code sees {@link photon.core.rpc.Caller} and {@link
 * photon.core.rpc.SessionCaller} on its client side, {@link photon.core.rpc.Handler} and {@link
 * photon.core.rpc.SessionHandler} on its serving side; the {@code Grpc} classes carry these over
 * gRPC, the simulator over its own network. Nothing here ever sends a request twice.
 */
@NullMarked
package photon.core.rpc;

import org.jspecify.annotations.NullMarked;
