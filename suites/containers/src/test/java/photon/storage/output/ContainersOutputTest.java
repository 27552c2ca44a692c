package photon.storage.output;

import org.junit.jupiter.api.extension.ExtendWith;
import photon.storage.files.FileStore;
import photon.storage.files.HdfsContainers;
import photon.storage.files.OnContainers;

/** Output on HDFS of several machines. */
@ExtendWith(OnContainers.class)
class ContainersOutputTest extends OutputContract {
    private final HdfsContainers hdfs = HdfsContainers.running();
    private final FileStore files = hdfs.files();
    private final String directory = hdfs.newDirectory();

    @Override
    protected FileStore files() {
        return files;
    }

    @Override
    protected String directory() {
        return directory;
    }
}
