/**
 * The lives of a joiner: registered, served, ended, begun anew (docs/protocol.md section 1). Start
 * at {@link photon.joiner.incarnation.Incarnations}.
 */
@NullMarked
package photon.joiner.incarnation;

import org.jspecify.annotations.NullMarked;
