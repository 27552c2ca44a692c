/**
 * Accepted events on their way to the work log and its publication (docs/protocol.md section 6).
 * Start at {@link photon.joiner.output.OutputWriter}; it runs in the output loop, which owns the
 * files.
 */
@NullMarked
package photon.joiner.output;

import org.jspecify.annotations.NullMarked;
