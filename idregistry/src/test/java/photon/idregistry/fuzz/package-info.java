/**
 * Bytes that nobody of us wrote, given to everything that reads bytes: it reads them or throws the
 * one exception that it says, in bounded time and memory. {@link photon.idregistry.fuzz.Decoder}
 * lists the readers; mutants of right bytes are tried in every build, and Jazzer goes further.
 */
@NullMarked
package photon.idregistry.fuzz;

import org.jspecify.annotations.NullMarked;
