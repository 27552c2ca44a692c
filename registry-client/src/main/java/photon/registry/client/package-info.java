/**
 * The one client of the registry. Start at {@link photon.registry.client.RegistryConnection}, then
 * {@link photon.registry.client.ShardRouter}: components call it in their loop, and threads of
 * other programs through {@link photon.registry.client.SharedIdRegistry}, which hands their calls
 * to that loop. Everything else here decides in one event loop and sees servers only as {@link
 * photon.registry.client.RegistryTransport}; {@link photon.registry.client.GrpcRegistry} is the one
 * that knows gRPC.
 */
@NullMarked
package photon.registry.client;

import org.jspecify.annotations.NullMarked;
