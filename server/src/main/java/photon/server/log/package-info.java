/** What an operator gets to see of the logs, and in what form. */
@NullMarked
package photon.server.log;

import org.jspecify.annotations.NullMarked;
