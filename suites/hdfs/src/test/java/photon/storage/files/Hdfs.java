package photon.storage.files;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.jspecify.annotations.Nullable;
import photon.core.config.HadoopConfig;

/** A NameNode and a DataNode in this process, one for all tests; and what other programs do. */
public final class Hdfs {
    /** Small, so that records and files cross the borders of blocks all the time. */
    private static final int BLOCK_BYTES = 64 << 10;

    private static final AtomicInteger DIRECTORIES = new AtomicInteger();
    private static @Nullable MiniDFSCluster cluster;

    private Hdfs() {}

    /** Started when first asked for; it ends with this process. */
    public static synchronized MiniDFSCluster cluster() {
        if (cluster == null) {
            Configuration server = new HdfsConfiguration();
            settings().forEach(server::set);
            server.setInt("dfs.namenode.fs-limits.min-block-size", 0);
            server.setInt("dfs.namenode.safemode.extension", 0);
            server.setInt("dfs.namenode.handler.count", 4);
            try {
                // Where its web servers unpack what they serve, and leave it.
                java.nio.file.Path unpacked = java.nio.file.Path.of("target/tmp").toAbsolutePath();
                Files.createDirectories(unpacked);
                System.setProperty("java.io.tmpdir", unpacked.toString());
                cluster =
                        new MiniDFSCluster.Builder(server, new File("target/hdfs"))
                                .numDataNodes(1)
                                .build();
                cluster.waitActive();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return cluster;
    }

    /** As a user of Photon names it, such as {@code hdfs://localhost:1234}. */
    public static String uri() {
        return cluster().getURI().toString();
    }

    /** What Photon's own client has to be told: there is one DataNode. */
    public static Map<String, String> settings() {
        return Map.of("dfs.replication", "1", "dfs.blocksize", Integer.toString(BLOCK_BYTES));
    }

    /** The files as Photon sees them. */
    public static FileStore files() {
        return new HadoopFileStore(new HadoopConfig(settings(), Optional.empty()));
    }

    /** A new directory. */
    public static String newDirectory() {
        String path = uri() + "/test-" + DIRECTORIES.incrementAndGet();
        try {
            client().mkdirs(new Path(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return path;
    }

    /** What another program has of this HDFS: not the client that Photon uses. */
    public static DistributedFileSystem client() {
        return OtherProgram.HDFS.client();
    }

    /** Appends as another program does. */
    public static void append(String path, String text) throws IOException {
        OtherProgram.HDFS.append(path, text);
    }

    /** Cuts a file short, and waits until that is done. */
    public static void truncate(String path, long length) throws IOException {
        OtherProgram.HDFS.truncate(path, length);
    }

    private static final class OtherProgram {
        static final OtherHdfsClient HDFS = connect();

        private static OtherHdfsClient connect() {
            try {
                return new OtherHdfsClient(cluster().getURI(), cluster().getConfiguration(0));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
