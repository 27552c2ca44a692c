/** What people see on stderr while something runs, and whether anybody does. */
@NullMarked
package photon.server.terminal;

import org.jspecify.annotations.NullMarked;
