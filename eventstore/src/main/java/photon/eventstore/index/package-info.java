/**
 * The log index: every primary event that was read, by its id, and how far the logs were read, in
 * one atomic write. Derived data: it can be rebuilt from the logs
 * (docs/decisions/0007-log-index-of-our-own.md).
 *
 * <p>Start at {@link photon.eventstore.index.LogIndex}. {@link
 * photon.eventstore.index.FileLogIndex} is the one on disk: a put goes through {@code
 * SegmentWriter} to the current segment and into the {@code RecentTable}; a full table becomes a
 * {@code PartFile}, and parts become fewer, in {@code IndexUpkeep}; a get goes through an {@code
 * IndexView} to a position, and from there to a {@code Block}; a start goes through {@code
 * IndexRecovery}.
 */
@NullMarked
package photon.eventstore.index;

import org.jspecify.annotations.NullMarked;
