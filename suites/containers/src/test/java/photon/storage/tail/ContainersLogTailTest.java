package photon.storage.tail;

import java.io.IOException;
import org.junit.jupiter.api.extension.ExtendWith;
import photon.storage.files.FileStore;
import photon.storage.files.HdfsContainers;
import photon.storage.files.OnContainers;

/** Logs on HDFS of several machines. */
@ExtendWith(OnContainers.class)
class ContainersLogTailTest extends LogTailContract {
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

    @Override
    protected void appendByAnother(String path, String text) throws IOException {
        hdfs.otherProgram().append(path, text);
    }

    @Override
    protected void truncate(String path, int length) throws IOException {
        hdfs.otherProgram().truncate(path, length);
    }
}
