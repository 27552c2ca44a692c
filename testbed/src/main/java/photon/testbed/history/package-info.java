/**
 * Histories of real clusters: what callers asked and heard, and whether any registry that decides
 * one thing after another could have said so. Start at {@link
 * photon.testbed.history.HistoryChecker}; {@code photon chaos} and {@code RegistryHistoryTest} make
 * the histories, with processes that are killed, stopped and cut off.
 */
@NullMarked
package photon.testbed.history;

import org.jspecify.annotations.NullMarked;
