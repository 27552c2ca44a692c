/**
 * Tries a configuration on the logs that it names, before anything is started: reads the head of
 * every input with the parsers of a run, looks for pairs, and says what is wrong and what would be
 * right. Start at {@link photon.server.configtest.ConfigTest}; what is decided about what was read
 * stands in {@link photon.server.configtest.rules}.
 */
@NullMarked
package photon.server.configtest;

import org.jspecify.annotations.NullMarked;
