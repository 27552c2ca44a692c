package photon.storage.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.io.TempDir;

/** The local files of the production store. */
class LocalFileStoreContractTest extends FileStoreContract {
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

    @Override
    protected void appendByAnother(String path, String text) throws IOException {
        Files.writeString(Path.of(path), text, StandardOpenOption.APPEND);
    }

    @Override
    protected void truncate(String path, int length) throws IOException {
        try (FileChannel channel = FileChannel.open(Path.of(path), StandardOpenOption.WRITE)) {
            channel.truncate(length);
        }
    }
}
