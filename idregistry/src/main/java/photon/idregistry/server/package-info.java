/**
 * A registry server: one process that serves every shard of every pipeline. Start at {@link
 * photon.idregistry.server.RegistryServer}, which puts it between gRPC and Ratis; {@link
 * photon.idregistry.server.RegistryService} assembles what needs neither. The packages below are
 * its parts by purpose, and none of them knows this one. A request comes from gRPC to its handler,
 * which asks on arrival what needs no log, and goes on through {@link
 * photon.idregistry.server.groups.Groups} to the group it names. {@link
 * photon.idregistry.server.control.Reconciler} makes the groups that the control group lists.
 * Everything but Ratis' and gRPC's own threads runs in one event loop.
 */
@NullMarked
package photon.idregistry.server;

import org.jspecify.annotations.NullMarked;
