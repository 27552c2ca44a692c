/** Where business logic lives. Start at {@link photon.adapter.Adapter}. */
@NullMarked
package photon.adapter;

import org.jspecify.annotations.NullMarked;
