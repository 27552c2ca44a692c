package photon.storage.files;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import photon.core.testing.Await;

/** Does what other programs do to files on an HDFS, with a client that Photon does not use. */
public final class OtherHdfsClient {
    private final DistributedFileSystem client;

    /** Connects on the first call that needs it. */
    public OtherHdfsClient(URI uri, Configuration settings) throws IOException {
        this.client = (DistributedFileSystem) FileSystem.newInstance(uri, settings);
    }

    public DistributedFileSystem client() {
        return client;
    }

    /** Appends to a closed file, and closes it. */
    public void append(String path, String text) throws IOException {
        try (FSDataOutputStream out = client.append(new Path(path))) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Cuts a file short, and waits until that is done. */
    public void truncate(String path, long length) throws IOException {
        Path file = new Path(path);
        if (!client.truncate(file, length)) {
            try {
                Await.until(
                        Duration.ofMinutes(1),
                        "the last block of " + path + " to be cut",
                        () -> "",
                        () -> client.isFileClosed(file));
            } catch (Exception e) {
                throw new IOException(e);
            }
        }
    }
}
