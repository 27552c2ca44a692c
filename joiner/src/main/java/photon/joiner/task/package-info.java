/**
 * One incarnation's way from admitted events to answers: primary lookup, adapter, removal of lost
 * tokens, commit, output. Start at {@link photon.joiner.task.JoinTask}. Everything here is owned by
 * the joiner's main loop; work is gathered for a turn of the loop and goes out as batches.
 */
@NullMarked
package photon.joiner.task;

import org.jspecify.annotations.NullMarked;
