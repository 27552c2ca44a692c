package photon.storage.files;

import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The files of one datacenter, as all parts of Photon use them: the production class stands on
 * Hadoop's {@code FileSystem}, tests and the simulator have their own. Paths are absolute, with
 * '/'. Thread-safe; what it opens is not.
 *
 * <p>A name is durable once its directory was synced, bytes once their file was (docs/protocol.md
 * section 6).
 */
public interface FileStore {
    /**
     * Regular files that match the glob now, in order of path. Anything else is left out: to open a
     * FIFO, a socket or a device may wait forever.
     */
    List<FileInfo> glob(String pattern) throws IOException;

    /**
     * Looks at a glob again and again. May know from before what a directory holds in which nothing
     * seems to happen: a change of a file there may show up a minute later than {@link #glob} shows
     * it. A directory that takes or loses a file is seen at once where its parent is listed.
     *
     * @param leftOut names that a wildcard finds and that are of no interest: directories of such
     *     names are not looked into, where that can be avoided
     */
    default Watch watch(String pattern, Predicate<String> leftOut) {
        return nanoTime -> glob(pattern);
    }

    /** One glob, asked by one thread at a time. */
    @FunctionalInterface
    interface Watch {
        /** As {@link FileStore#glob}, in no order. */
        List<FileInfo> look(long nanoTime) throws IOException;
    }

    /** The entries of a directory, in order of path; empty if none stands there. */
    List<FileInfo> list(String directory) throws IOException;

    /** What stands at this path; null if nothing. */
    @Nullable FileInfo stat(String path) throws IOException;

    /**
     * @throws java.nio.file.NoSuchFileException if there is no such file
     * @throws IOException if what stands there is no regular file; it is not opened
     */
    ReadFile open(String path) throws IOException;

    /**
     * Creates a file exclusively and without making parents.
     *
     * @throws java.nio.file.FileAlreadyExistsException if anything stands there
     * @throws java.nio.file.NoSuchFileException if the parent does not exist or is no directory
     */
    AppendFile create(String path) throws IOException;

    /**
     * Creates one directory, not its parents.
     *
     * @throws java.nio.file.FileAlreadyExistsException if anything stands there
     */
    void createDirectory(String path) throws IOException;

    /** With parents; what exists already is fine. */
    void createDirectories(String path) throws IOException;

    /**
     * Renames a file or directory, never replacing.
     *
     * @throws java.nio.file.FileAlreadyExistsException if the target exists
     * @throws java.nio.file.NoSuchFileException if the source does not
     */
    void rename(String from, String to) throws IOException;

    /**
     * Gives a finished file its final name, exclusively: locally a hard link and then removal of
     * the old name, on HDFS a rename without overwrite. Never replaces.
     *
     * @return false if something stands at the target already (the source stays)
     */
    boolean publish(String from, String to) throws IOException;

    /** Deletes a file, or a directory with all in it; nothing there is fine. */
    void delete(String path) throws IOException;

    /** Makes creations, renames and deletions of names in this directory durable. */
    void syncDirectory(String directory) throws IOException;

    /**
     * Ends the writing of a file whose writer may be dead (HDFS lease recovery); returns when it is
     * closed. If the writer lives, its next flush fails. Locally does nothing.
     */
    void recover(String path) throws IOException;

    /**
     * One entry.
     *
     * @param key the file's identity in its file system (inode, HDFS file id): survives a rename,
     *     may be used again after a deletion
     * @param length bytes readable now, at least; 0 for a directory
     * @param writer {@link Writer#OPEN}: more bytes may be readable, and come without a change of
     *     the length; told by {@link #glob} and {@link Watch} alone
     */
    record FileInfo(
            String path,
            String key,
            long length,
            boolean directory,
            long modifiedMillis,
            Writer writer) {
        /** Of a file system that does not keep account of writers. */
        public FileInfo(
                String path, String key, long length, boolean directory, long modifiedMillis) {
            this(path, key, length, directory, modifiedMillis, Writer.UNKNOWN);
        }
    }

    /** A file open for reading. */
    interface ReadFile extends AutoCloseable {
        /** Bytes readable now, at least; may grow. */
        long length() throws IOException;

        /** Whether somebody has the file open for writing, as far as the file system knows. */
        default Writer writer() {
            return Writer.UNKNOWN;
        }

        /**
         * Reads at a position.
         *
         * @return how many bytes were read; -1 at the end (there may be more later)
         */
        int read(long position, byte[] into, int offset, int length) throws IOException;

        @Override
        void close() throws IOException;
    }

    /** What a file system knows of a file's writer. */
    enum Writer {
        /** It may write on. */
        OPEN,
        /** It has closed the file: what {@link ReadFile#length} says afterwards is all. */
        CLOSED,
        /** The file system does not keep account. */
        UNKNOWN
    }

    /** A file open for appending, by its only writer. After any exception it may only be closed. */
    interface AppendFile extends AutoCloseable {
        void write(byte[] bytes, int offset, int length) throws IOException;

        /** Readers see what was written; survives the death of this process (hflush). */
        void flush() throws IOException;

        /** Flushed, and on the disk: survives a power cut (hsync). */
        void sync() throws IOException;

        long position();

        /** Does not sync. */
        @Override
        void close() throws IOException;
    }
}
