/**
 * Estimates what a deployment needs, by arithmetic from measured figures. Start at {@link
 * photon.server.plan.Plan}. Pure.
 */
@NullMarked
package photon.server.plan;

import org.jspecify.annotations.NullMarked;
