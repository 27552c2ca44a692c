package photon.storage.files;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
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
