package photon.idregistry.replicated;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * State that is a function of its log: the same entries in the same order give the same state and
 * the same results on every replica. No clock, no randomness, no I/O. Not thread-safe.
 */
public interface ReplicatedState {
    /**
     * Applies one entry.
     *
     * @param index higher than any before
     * @return the result, packed; every replica makes the same, the leader's is answered
     * @throws photon.core.error.BugException for an entry that cannot have been written by us: the
     *     process must halt
     */
    byte[] apply(long index, ByteBuffer entry);

    /** The index of the last applied entry; 0 before the first. */
    long lastIndex();

    /** Writes the whole state, with a format version first. */
    void writeSnapshot(DataOutput out) throws IOException;

    /** Replaces the whole state. */
    void readSnapshot(DataInput in) throws IOException;
}
