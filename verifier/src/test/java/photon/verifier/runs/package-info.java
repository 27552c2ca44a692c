@NullMarked
package photon.verifier.runs;

import org.jspecify.annotations.NullMarked;
