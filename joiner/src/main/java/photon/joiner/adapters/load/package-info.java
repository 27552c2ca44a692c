/** Which of the kinds of adapters the configuration names. */
@NullMarked
package photon.joiner.adapters.load;

import org.jspecify.annotations.NullMarked;
