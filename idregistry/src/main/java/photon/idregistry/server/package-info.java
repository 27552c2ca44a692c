/**
 * A registry server: one process that serves every shard of every pipeline. Start at {@link
 * photon.idregistry.server.RegistryServer}; what it decides is in {@link
 * photon.idregistry.server.RegistryService}. A request comes from gRPC to its handler, which asks
 * on arrival what needs no log, and goes on through {@link photon.idregistry.server.Groups} to the
 * group it names. {@link photon.idregistry.server.Reconciler} makes the groups that the control
 * group lists. Everything but Ratis' and gRPC's own threads runs in one event loop.
 */
@NullMarked
package photon.idregistry.server;

import org.jspecify.annotations.NullMarked;
