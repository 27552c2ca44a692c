/** What of the logs of libraries an operator gets to see. */
@NullMarked
package photon.server.log;

import org.jspecify.annotations.NullMarked;
