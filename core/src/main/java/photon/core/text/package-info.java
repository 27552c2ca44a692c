/** How texts for people and documents are set. */
@NullMarked
package photon.core.text;

import org.jspecify.annotations.NullMarked;
