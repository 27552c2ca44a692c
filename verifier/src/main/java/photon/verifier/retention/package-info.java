/**
 * Takes away what settled incarnations have left when the boundary has passed all of it
 * (docs/protocol.md section 6, Retention): {@link photon.verifier.retention.RetentionRule} decides,
 * {@link photon.verifier.retention.RetentionLoop} finds out and does it.
 */
@NullMarked
package photon.verifier.retention;

import org.jspecify.annotations.NullMarked;
