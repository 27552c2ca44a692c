/** Checks of the documentation: its links, its commands, and the pages of its site. */
@NullMarked
package photon.tools.docs;

import org.jspecify.annotations.NullMarked;
