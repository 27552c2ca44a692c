/**
 * Makes a first configuration from samples of two logs, and tries it as {@code photon config test}
 * does. Start at {@link photon.server.configinit.ConfigInit}; what is guessed and why is decided in
 * {@link photon.server.configinit.rules}.
 */
@NullMarked
package photon.server.configinit;

import org.jspecify.annotations.NullMarked;
