/**
 * What the verifier reads: a datacenter's foreign logs and its output directory, and {@link
 * photon.verifier.source.IdIndex}, the compact set of identities in which both are compared.
 */
@NullMarked
package photon.verifier.source;

import org.jspecify.annotations.NullMarked;
