/**
 * Sets of identities of any size, in id order, in bounded memory: {@link
 * photon.verifier.runs.IdRuns} sorts them into runs in a scratch file, and {@link
 * photon.verifier.runs.SortedIds} reads them back merged.
 */
@NullMarked
package photon.verifier.runs;

import org.jspecify.annotations.NullMarked;
