/**
 * How a process of Photon begins and ends: signals, the lock on its directories, and the points at
 * which tests halt it. Start at {@link photon.server.lifecycle.Shutdown}.
 */
@NullMarked
package photon.server.lifecycle;

import org.jspecify.annotations.NullMarked;
