/**
 * Repair of incarnations that ended without a clean close (docs/protocol.md sections 1 and 6).
 *
 * <p>Start at {@link photon.verifier.repair.IncarnationRepair}: the order of its steps is what
 * keeps a repair from doubling or losing an event. {@link photon.verifier.repair.RepairLoop} finds
 * the incarnations, {@link photon.verifier.repair.Reinjection} reads lost events anew and hands
 * them over, and {@link photon.verifier.repair.RepairServer} puts the parts together. All of it
 * lives in one event loop; nothing here starts a thread, reads a clock or removes an id.
 */
@NullMarked
package photon.verifier.repair;

import org.jspecify.annotations.NullMarked;
