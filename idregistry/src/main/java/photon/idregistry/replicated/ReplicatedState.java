package photon.idregistry.replicated;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * State that is a function of its log: the same entries in the same order give the same state and
 * the same results on every replica. No clock, no randomness. Not thread-safe.
 */
public interface ReplicatedState {
    /**
     * Applies one entry.
     *
     * @param index higher than any before
     * @param entry of a buffer that is not the callee's: nothing of it is kept
     * @return the result, packed; every replica makes the same, the leader's is answered
     * @throws photon.core.error.BugException for an entry that cannot have been written by us: the
     *     process must halt
     */
    byte[] apply(long index, ByteBuffer entry);

    /** The index of the last applied entry; 0 before the first. */
    long lastIndex();

    /**
     * The state as of now, to be written by another thread while entries are applied. Called where
     * entries are applied, which waits meanwhile: must be quick. One at a time: the next freeze
     * comes after the last one was closed.
     */
    FrozenState freeze();

    /**
     * Replaces the whole state. After an exception the state is of no use.
     *
     * @throws IOException if a file cannot be read, or does not hold what it should
     */
    void restore(SnapshotReader from) throws IOException;

    /** Frees what it holds. Called once, when nothing is frozen; nothing else is called after. */
    default void close() {}
}
