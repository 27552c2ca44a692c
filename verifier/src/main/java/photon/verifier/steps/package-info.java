/** Work in steps, so that the loop stays open to others between them. */
@NullMarked
package photon.verifier.steps;

import org.jspecify.annotations.NullMarked;
