/** The border between what is replicated and what replicates it. */
@NullMarked
package photon.idregistry.replicated;

import org.jspecify.annotations.NullMarked;
