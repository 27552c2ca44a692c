/**
 * How events flow through a dispatcher: read by {@link photon.dispatcher.flow.Intake}, looked up by
 * {@link photon.dispatcher.flow.LookupStage}, sent by {@link photon.dispatcher.flow.JoinerLinks},
 * settled by {@link photon.dispatcher.flow.Settler} and made durable by {@link
 * photon.dispatcher.flow.JournalWriter}; {@link photon.dispatcher.flow.DueRows} brings rows of the
 * retry journal back into the same way. Start at {@link photon.dispatcher.flow.Flow}, which knows
 * them all.
 *
 * <p>Three loops: the reader's owns the tail, the journal's owns journal, ledger and checkpoint,
 * the main loop owns everything else. The rules are in {@code photon.dispatcher.rules}.
 */
@NullMarked
package photon.dispatcher.flow;

import org.jspecify.annotations.NullMarked;
