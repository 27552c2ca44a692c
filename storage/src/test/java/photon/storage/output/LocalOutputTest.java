package photon.storage.output;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import photon.storage.files.FileStore;
import photon.storage.files.HadoopFileStore;

/** Output on this machine. */
class LocalOutputTest extends OutputContract {
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
