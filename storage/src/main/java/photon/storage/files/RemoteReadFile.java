package photon.storage.files;

import java.io.IOException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.jspecify.annotations.Nullable;
import photon.storage.files.FileStore.ReadFile;
import photon.storage.files.FileStore.Writer;

/**
 * A file of HDFS open for reading. A stream of HDFS never grows: what was appended is seen by
 * opening the file again, which asks a DataNode, so it happens only at the end of what is known,
 * and only while the file is not closed by its writer.
 */
final class RemoteReadFile implements ReadFile {
    private final FileSystem fileSystem;
    private final Path path;
    private FSDataInputStream in;
    private long visibleLength;
    private boolean finished;

    RemoteReadFile(FileSystem fileSystem, Path path) throws IOException {
        this.fileSystem = fileSystem;
        // By its id, the same file is found again after a rename.
        this.path = stablePath(fileSystem, path);
        this.finished = isFinished(); // asked before the length, which is then final
        this.in = fileSystem.open(this.path);
        this.visibleLength = visibleLength(in);
    }

    @Override
    public long length() throws IOException {
        if (!finished) {
            reopen();
        }
        return visibleLength;
    }

    @Override
    public Writer writer() {
        if (!(fileSystem instanceof DistributedFileSystem)) {
            return Writer.UNKNOWN;
        }
        return finished ? Writer.CLOSED : Writer.OPEN;
    }

    @Override
    public int read(long position, byte[] into, int offset, int length) throws IOException {
        if (position >= visibleLength && !finished) {
            reopen();
        }
        if (position >= visibleLength) {
            return -1;
        }
        return in.read(position, into, offset, (int) Math.min(length, visibleLength - position));
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    private void reopen() throws IOException {
        finished = isFinished();
        FSDataInputStream old = in;
        in = fileSystem.open(path);
        old.close();
        visibleLength = visibleLength(in);
    }

    private boolean isFinished() throws IOException {
        return !(fileSystem instanceof DistributedFileSystem hdfs) || hdfs.isFileClosed(path);
    }

    private long visibleLength(FSDataInputStream stream) throws IOException {
        @Nullable Long visible =
                stream instanceof HdfsDataInputStream hdfs ? hdfs.getVisibleLength() : null;
        return visible != null ? visible : fileSystem.getFileStatus(path).getLen();
    }

    private static Path stablePath(FileSystem fileSystem, Path path) throws IOException {
        return fileSystem.getFileStatus(path)
                        instanceof org.apache.hadoop.hdfs.protocol.HdfsFileStatus status
                ? fileSystem.makeQualified(new Path("/.reserved/.inodes/" + status.getFileId()))
                : path;
    }
}
