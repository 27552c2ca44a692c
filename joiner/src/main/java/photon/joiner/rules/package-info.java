/**
 * What a joiner decides about events, tokens and its own life: plain classes without clock, thread,
 * file or network.
 *
 * <p>Start at {@link photon.joiner.rules.CommitVerdict}, the table of docs/protocol.md section 3;
 * {@link photon.joiner.rules.Attempt} is what it speaks of. Owned by the joiner's main loop;
 * nothing here is thread-safe.
 */
@NullMarked
package photon.joiner.rules;

import org.jspecify.annotations.NullMarked;
