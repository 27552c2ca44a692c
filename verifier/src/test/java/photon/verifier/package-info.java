/** What the tests of the verifier's packages share. */
@NullMarked
package photon.verifier;

import org.jspecify.annotations.NullMarked;
