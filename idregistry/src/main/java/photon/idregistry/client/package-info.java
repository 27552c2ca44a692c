/**
 * The registry as the other modules use it. Start at {@link
 * photon.idregistry.client.RegistryConnection}. Everything here decides in one event loop and sees
 * servers only as {@link photon.idregistry.client.RegistryTransport}; {@link
 * photon.idregistry.client.GrpcRegistry} is the one that knows gRPC.
 */
@NullMarked
package photon.idregistry.client;

import org.jspecify.annotations.NullMarked;
