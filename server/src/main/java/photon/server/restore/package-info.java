/**
 * Tries out whether a backup can be restored, with a registry server in this process. Start at
 * {@link photon.server.restore.RestoreDrill}.
 */
@NullMarked
package photon.server.restore;

import org.jspecify.annotations.NullMarked;
