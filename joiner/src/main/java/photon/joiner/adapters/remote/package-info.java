/**
 * Adapters that are processes of their own (photon/adapter/v1/adapter.proto). Start at {@link
 * photon.joiner.adapters.remote.RemoteAdapter}.
 */
@NullMarked
package photon.joiner.adapters.remote;

import org.jspecify.annotations.NullMarked;
