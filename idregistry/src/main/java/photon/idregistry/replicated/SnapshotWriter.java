package photon.idregistry.replicated;

import java.io.IOException;
import java.io.OutputStream;

/**
 * Takes the files of one snapshot, which becomes usable as a whole or not at all. Names match
 * {@code [a-z0-9][a-z0-9_-]*(\.[a-z0-9_-]+)*}, none twice. Used by one thread.
 */
public interface SnapshotWriter {
    /**
     * A new file, buffered. It is part of the snapshot once it is closed, and the caller closes it
     * before it asks for another. It gets a checksum, and is read as a whole at every restart.
     */
    OutputStream create(String name) throws IOException;

    /**
     * Carries a file over from this replica's last snapshot, at no cost. That one may also have
     * come from the leader: so one name means one content on all replicas, or the name says which.
     *
     * @return false if there is none of that name
     */
    boolean reuse(String name) throws IOException;

    /**
     * Makes a file that exists already part of the snapshot, at no cost where both lie on one file
     * system. Its owner may delete it then. It must have checksums of its own, checked whenever it
     * is read: of it the snapshot keeps only the length, so that a restart need not read it.
     */
    void link(String name, StoredFile file) throws IOException;
}
