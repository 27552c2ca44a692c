/**
 * The control group: which pipelines there are and what their shard maps are, which slots and
 * generations speak in them, and which of these are fenced, clean or repaired (docs/protocol.md
 * sections 1 and 2).
 *
 * <p>Start at {@link photon.idregistry.control.ControlState}; its entries are made by {@link
 * photon.idregistry.control.ControlEntries}. Nothing here knows a clock, a thread, a file or the
 * network.
 */
@NullMarked
package photon.idregistry.control;

import org.jspecify.annotations.NullMarked;
