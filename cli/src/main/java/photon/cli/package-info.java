/** The {@code photon} command. Start at {@link photon.cli.Photon}. */
@NullMarked
package photon.cli;

import org.jspecify.annotations.NullMarked;
