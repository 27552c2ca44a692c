/**
 * Pipelines and incarnations: {@link photon.idregistry.server.control.ControlHandler} puts requests
 * to the control group, and {@link photon.idregistry.server.control.Reconciler} brings this server
 * to what that has decided. Both run in the server's loop.
 */
@NullMarked
package photon.idregistry.server.control;

import org.jspecify.annotations.NullMarked;
