package photon.storage.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.junit.jupiter.api.Test;
import photon.storage.files.FileStore.AppendFile;

/** HDFS does what local files do. */
class HdfsFileStoreTest extends FileStoreContract {
    private final FileStore files = Hdfs.files();
    private final String directory = Hdfs.newDirectory();

    @Override
    protected FileStore files() {
        return files;
    }

    @Override
    protected String directory() {
        return directory;
    }

    @Override
    protected void appendByAnother(String path, String text) throws IOException {
        Hdfs.append(path, text);
    }

    @Override
    protected void truncate(String path, int length) throws IOException {
        Hdfs.truncate(path, length);
    }

    /** hsync alone reaches the last block of a file only. */
    @Test
    void everyBlockIsOnDiskWhenAFileWasSynced() throws Exception {
        byte[] bytes = new byte[64 << 10];
        long before = fsyncs();
        try (AppendFile file = files.create(directory + "/blocks")) {
            for (int i = 0; i < 3; i++) {
                file.write(bytes, 0, bytes.length);
            }
            file.write(bytes, 0, bytes.length / 2);
            file.sync();
        }
        assertThat(fsyncs() - before).isGreaterThanOrEqualTo(4);
    }

    /** Of the DataNode's files, since its start. */
    private static long fsyncs() {
        String name = Hdfs.cluster().getDataNodes().get(0).getMetrics().name();
        MetricsCollectorImpl now = new MetricsCollectorImpl();
        DefaultMetricsSystem.instance().getSource(name).getMetrics(now, true);
        for (AbstractMetric metric : now.getRecords().get(0).metrics()) {
            if (metric.name().equals("FsyncCount")) {
                return metric.value().longValue();
            }
        }
        throw new AssertionError("Expected FsyncCount in " + now.getRecords());
    }

    /**
     * As a slow sealer's temporary, which a faster one has cleared away: the close fails as the
     * call before did, and the two must not be the same object.
     */
    @Test
    void aWriterWhoseFileIsGoneFailsWithAnInputOutputError() throws IOException {
        String path = directory + "/gone";
        assertThatThrownBy(
                        () -> {
                            try (AppendFile file = files.create(path)) {
                                byte[] bytes = {1, 2, 3};
                                file.write(bytes, 0, bytes.length);
                                files.delete(path);
                                file.sync();
                            }
                        })
                .isInstanceOf(IOException.class);
    }
}
