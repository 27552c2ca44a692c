package photon.storage.files;

import java.io.IOException;

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
}
