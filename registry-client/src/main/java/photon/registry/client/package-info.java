/**
 * The registry as the other modules use it. Start at {@link
 * photon.registry.client.RegistryConnection}. Everything here decides in one event loop and sees
 * servers only as {@link photon.registry.client.RegistryTransport}; {@link
 * photon.registry.client.GrpcRegistry} is the one that knows gRPC.
 */
@NullMarked
package photon.registry.client;

import org.jspecify.annotations.NullMarked;
