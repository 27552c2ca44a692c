package photon.storage.files;

import java.io.IOException;
import java.util.EnumSet;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream.SyncFlag;
import photon.storage.files.FileStore.AppendFile;

/** A file of HDFS open for appending. */
final class RemoteAppendFile implements AppendFile {
    private final String path;
    private final FSDataOutputStream out;
    private boolean failed;

    RemoteAppendFile(String path, FSDataOutputStream out) {
        this.path = path;
        this.out = out;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        checkUsable();
        failed = true; // until it went well
        out.write(bytes, offset, length);
        failed = false;
    }

    @Override
    public void flush() throws IOException {
        checkUsable();
        failed = true;
        out.hflush();
        failed = false;
    }

    /** Also tells the NameNode the length, so that a listing shows it. */
    @Override
    public void sync() throws IOException {
        checkUsable();
        failed = true;
        if (out instanceof HdfsDataOutputStream hdfs) {
            hdfs.hsync(EnumSet.of(SyncFlag.UPDATE_LENGTH));
        } else {
            out.hsync();
        }
        failed = false;
    }

    @Override
    public long position() {
        return out.getPos();
    }

    @Override
    public void close() throws IOException {
        try {
            out.close();
        } catch (IOException e) {
            // HDFS throws what an earlier call threw, the same object. Java's try does not take it
            // a second time, and would end with an error that nobody expects.
            throw new IOException("Cannot close " + path + ": " + e.getMessage(), e);
        }
    }

    private void checkUsable() throws IOException {
        if (failed) {
            throw new IOException(
                    "Expected only a close after a failed call on " + path + ", but it is used on");
        }
    }
}
