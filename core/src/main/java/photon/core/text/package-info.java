/** How texts for people and documents are set, and where lines of a log end. */
@NullMarked
package photon.core.text;

import org.jspecify.annotations.NullMarked;
