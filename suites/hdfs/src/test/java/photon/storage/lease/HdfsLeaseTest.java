package photon.storage.lease;

import photon.storage.files.FileStore;
import photon.storage.files.Hdfs;

/** Leases on HDFS. */
class HdfsLeaseTest extends LeaseContract {
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
