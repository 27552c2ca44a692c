/** Small documents that are replaced atomically: checkpoints, identities. */
@NullMarked
package photon.storage.document;

import org.jspecify.annotations.NullMarked;
