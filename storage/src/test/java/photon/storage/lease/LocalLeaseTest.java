package photon.storage.lease;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import photon.storage.files.FileStore;
import photon.storage.files.HadoopFileStore;

/** Leases on local files. */
class LocalLeaseTest extends LeaseContract {
    private final FileStore files = new HadoopFileStore();

    @TempDir Path directory;

    @Override
    protected FileStore files() {
        return files;
    }

    @Override
    protected String directory() {
        return directory.toString();
    }
}
