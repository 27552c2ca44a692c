package photon.simulation.raft;

import org.jspecify.annotations.Nullable;

/** One entry of a group's log. Compared by identity: two equal submits are two entries. */
final class LogEntry {
    /** Of the leader that appended it. */
    final long term;

    /** Null: only the mark of a new leader, nothing for the state. */
    final byte @Nullable [] data;

    LogEntry(long term, byte @Nullable [] data) {
        this.term = term;
        this.data = data;
    }
}
