package photon.idregistry.table;

import java.io.IOException;
import java.nio.ByteBuffer;
import photon.idregistry.replicated.StoredFile;

/**
 * Where one table has its sealed files while it lives: a directory, or memory in the simulator.
 * What a life before has left there is nobody's; the snapshot has its own links. Thread-safe.
 */
public interface TableFiles extends AutoCloseable {
    /** A new file, empty. */
    NewFile create() throws IOException;

    /** A file that is in a snapshot, at no cost where both lie on one file system. */
    TableFile adopt(StoredFile file) throws IOException;

    /** Closes all files. */
    @Override
    void close();

    /** A file that is being written, by one thread. */
    interface NewFile extends AutoCloseable {
        /** Appends what remains in the buffer. */
        void write(ByteBuffer bytes) throws IOException;

        /** Syncs: from now on it never changes. Called once, last. */
        TableFile finish() throws IOException;

        /** Removes it, unless it was finished. */
        @Override
        void close();
    }

    /** A file that never changes. Positional reads, by any thread. */
    interface TableFile extends StoredFile {
        /**
         * Fills what remains of the buffer.
         *
         * @throws DamagedFileException if the file ends before
         */
        void read(ByteBuffer into, long position) throws IOException;

        /** Closes and removes it. A failure to remove is said, and costs space only. */
        void delete();

        /** What people call it. */
        String name();
    }
}
