/**
 * Guesses a configuration from the heads of two logs. Start at {@link
 * photon.server.configinit.rules.Guessing}. Decides only: no files, no clock.
 */
@NullMarked
package photon.server.configinit.rules;

import org.jspecify.annotations.NullMarked;
