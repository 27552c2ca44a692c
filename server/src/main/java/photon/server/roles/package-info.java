/**
 * Starts each part from the configuration, the same way for {@code photon run}, where it is a
 * process of its own, and for {@code photon local}, where all of them share one. Start at {@link
 * photon.server.roles.Roles}.
 */
@NullMarked
package photon.server.roles;

import org.jspecify.annotations.NullMarked;
