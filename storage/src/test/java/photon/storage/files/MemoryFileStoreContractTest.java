package photon.storage.files;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** The simulator's memory does what real files do. */
class MemoryFileStoreContractTest extends FileStoreContract {
    private final MemoryFileStore files = new MemoryFileStore(5);

    MemoryFileStoreContractTest() throws IOException {
        files.createDirectories("/base/here");
    }

    @Override
    protected FileStore files() {
        return files;
    }

    @Override
    protected String directory() {
        return "/base/here";
    }

    @Override
    protected void appendByAnother(String path, String text) throws IOException {
        files.append(path, text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    protected void truncate(String path, int length) throws IOException {
        files.truncate(path, length);
    }
}
