/**
 * Who is spoken of and who speaks: event ids, incarnations of joiners, commit tokens, and their
 * packed forms.
 *
 * <p>Plain values without behaviour of their own, but for {@link photon.core.id.EventIdGenerator},
 * which log producers use. Start at {@link photon.core.id.EventId}.
 */
@NullMarked
package photon.core.id;

import org.jspecify.annotations.NullMarked;
