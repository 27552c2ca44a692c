/**
 * The joiner: foreign events in, joined events out, each committed before it is written and
 * answered after it is flushed (docs/protocol.md sections 1, 3 and 6).
 *
 * <p>Start at {@link photon.joiner.Joiner}, which puts the parts together on loops that it is
 * handed; {@link photon.joiner.JoinerServer} adds threads and the network. An event comes in
 * through {@code service}, runs through one incarnation's {@code task} (lookup, adapter, commit) to
 * {@code output}, and its answer goes back the same way. {@code rules} decides; {@code incarnation}
 * starts lives and ends them.
 */
@NullMarked
package photon.joiner;

import org.jspecify.annotations.NullMarked;
