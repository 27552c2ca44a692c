/**
 * The retry journal: a durable table of events that are to be tried again. Start at {@link
 * photon.storage.journal.OpenJournal}, the owner's side; {@link
 * photon.storage.journal.RetryJournal} reads one that nobody works on.
 *
 * <p>On disk: a manifest (a versioned document) names the segments; a segment is a row of frames,
 * one a commit; a frame holds entries that put, update or delete a row. When to try a row again,
 * and when to give up, is the dispatcher's decision, not made here.
 */
@NullMarked
package photon.storage.journal;

import org.jspecify.annotations.NullMarked;
