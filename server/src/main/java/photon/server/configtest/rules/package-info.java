/**
 * Decides what the head of two streams says of their configuration. Start at {@link
 * photon.server.configtest.rules.Diagnosis}. Decides only: no files, no clock.
 */
@NullMarked
package photon.server.configtest.rules;

import org.jspecify.annotations.NullMarked;
