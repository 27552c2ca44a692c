@NullMarked
package photon.idregistry.restore;

import org.jspecify.annotations.NullMarked;
