package photon.storage.output;

import photon.storage.files.FileStore;
import photon.storage.files.Hdfs;

/** Output on HDFS. */
class HdfsOutputTest extends OutputContract {
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
}
