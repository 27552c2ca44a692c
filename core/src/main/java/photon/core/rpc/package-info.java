/**
 * Calls between the parts. Decision code sees {@link photon.core.rpc.Caller} and {@link
 * photon.core.rpc.SessionCaller} on its client side, {@link photon.core.rpc.Handler} and {@link
 * photon.core.rpc.SessionHandler} on its serving side; the {@code Grpc} classes carry these over
 * gRPC, the simulator over its own network. Nothing here ever sends a request twice. {@link
 * photon.core.rpc.RpcError} lists why a server ends a call without an answer.
 */
@NullMarked
package photon.core.rpc;

import org.jspecify.annotations.NullMarked;
