package photon.idregistry.replicated;

import java.io.IOException;

/** A state as it was at one index, whatever is applied meanwhile. */
public interface FrozenState extends AutoCloseable {
    /**
     * Writes it all, in whichever one thread. At most once.
     *
     * @throws IOException if there is no whole snapshot then; what was begun is discarded
     */
    void write(SnapshotWriter to) throws IOException;

    /** Frees what the freeze holds. Always called, once, in any thread, also without a write. */
    @Override
    void close();
}
