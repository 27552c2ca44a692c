package photon.storage.files;

import java.io.IOException;
import java.nio.file.FileSystemException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.jspecify.annotations.Nullable;
import photon.storage.files.FileStore.ReadFile;
import photon.storage.files.FileStore.Writer;

/**
 * A file of HDFS open for reading. A stream of HDFS never grows: what was appended is seen by
 * opening the file again. That asks a DataNode, so it happens only beyond the end of what is known,
 * and of a closed file only if the NameNode says that it has changed since: was appended to, or
 * cut. Of a file that a listing has just shown as open, a DataNode is asked first.
 */
final class RemoteReadFile implements ReadFile {
    private final FileSystem fileSystem;
    private final OpenLogs openLogs;
    private final Path path;

    /** -1: it has none. */
    private final long fileId;

    /** As it stood when it was opened, for people. */
    private final String name;

    private @Nullable VisibleLength atDataNode;
    private FSDataInputStream in;
    private long visibleLength;
    private boolean finished;
    private long modifiedMillis;

    RemoteReadFile(FileSystem fileSystem, OpenLogs openLogs, Path path) throws IOException {
        this.fileSystem = fileSystem;
        this.openLogs = openLogs;
        this.name = path.toString();
        FileStatus status = fileSystem.getFileStatus(path);
        if (!status.isFile()) {
            throw new FileSystemException(path.toString(), null, "it is a directory");
        }
        // By its id, the same file is found again after a rename.
        this.fileId = status instanceof HdfsFileStatus hdfs ? hdfs.getFileId() : -1;
        this.path =
                fileId >= 0
                        ? fileSystem.makeQualified(new Path("/.reserved/.inodes/" + fileId))
                        : path;
        this.finished = isFinished(); // asked before the length, which is then final
        this.modifiedMillis = status.getModificationTime();
        this.in = fileSystem.open(this.path);
        this.visibleLength = visibleLength(in);
    }

    @Override
    public long length() throws IOException {
        try {
            refresh();
        } catch (IOException e) {
            throw RemoteFiles.notRead(name, e);
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
        try {
            return readNow(position, into, offset, length);
        } catch (IOException e) {
            throw RemoteFiles.notRead(name, e);
        }
    }

    private int readNow(long position, byte[] into, int offset, int length) throws IOException {
        // Also for the rest of what is asked for: a half-written record is read again from its
        // start, and would otherwise be half-written forever.
        if (position + length > visibleLength) {
            refresh();
        }
        if (position >= visibleLength) {
            return -1;
        }
        return in.read(position, into, offset, (int) Math.min(length, visibleLength - position));
    }

    @Override
    public void close() throws IOException {
        if (atDataNode != null) {
            atDataNode.close();
        }
        in.close();
    }

    private void refresh() throws IOException {
        if (!finished && isKnownToBeOpen()) {
            return;
        }
        FileStatus now = fileSystem.getFileStatus(path);
        boolean known =
                finished
                        && now.getLen() == visibleLength
                        && now.getModificationTime() == modifiedMillis;
        finished = isFinished();
        if (known && finished) {
            return;
        }
        modifiedMillis = now.getModificationTime();
        openAgain();
    }

    /**
     * True: a listing has just told that its writer has not closed it, and all that can be read is
     * visible. That takes one call of the NameNode if the file has grown, and none if it has not.
     */
    private boolean isKnownToBeOpen() throws IOException {
        LocatedBlock last = openLogs.lastBlock(fileId);
        if (last == null || !(fileSystem instanceof DistributedFileSystem hdfs)) {
            return false;
        }
        if (atDataNode == null) {
            atDataNode = new VisibleLength(hdfs);
        }
        long visible = atDataNode.upTo(last).orElse(-1);
        if (visible > visibleLength) {
            openAgain();
        }
        return visible == visibleLength; // a shorter one was cut
    }

    private void openAgain() throws IOException {
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
}
