/**
 * Tries an adapter before anything joins with it. Start at {@link
 * photon.server.adaptertest.AdapterTest}; the cases are those of the kit for authors ({@code
 * photon.adapter.testing}).
 */
@NullMarked
package photon.server.adaptertest;

import org.jspecify.annotations.NullMarked;
