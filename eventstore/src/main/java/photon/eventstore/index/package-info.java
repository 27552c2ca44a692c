/**
 * The log index: every primary event that was read, by its id, and how far the logs were read, in
 * one atomic write. Derived data: it can be rebuilt from the logs.
 *
 * <p>Start at {@link photon.eventstore.index.LogIndex}. {@link
 * photon.eventstore.index.RocksLogIndex} is the one on disk and the only place that knows RocksDB;
 * {@link photon.eventstore.index.MemoryLogIndex} is for tests and the simulator.
 */
@NullMarked
package photon.eventstore.index;

import org.jspecify.annotations.NullMarked;
