package photon.eventstore.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.eventstore.index.FilePool.PooledFile;
import photon.storage.files.HadoopFileStore;

class FilePoolTest {
    @TempDir Path directory;

    @Test
    void manyFilesAreReadAndFewAreOpen() throws IOException {
        FilePool pool = new FilePool(new HadoopFileStore(), 3);
        List<PooledFile> files = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            files.add(file(pool, i));
        }
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 20; i++) {
                assertThat(first(files.get(i))).isEqualTo((byte) i);
                assertThat(pool.open()).isLessThanOrEqualTo(3);
            }
        }
    }

    /** An interrupt closes a channel under all who read it. */
    @Test
    void aThreadThatIsToldToEndStillReadsAndStaysTold() throws IOException {
        PooledFile file = file(new FilePool(new HadoopFileStore(), 3), 7);
        assertThat(first(file)).isEqualTo((byte) 7);
        Thread.currentThread().interrupt();
        assertThat(first(file)).isEqualTo((byte) 7);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(first(file)).isEqualTo((byte) 7);
    }

    @Test
    void aDeletedFileIsReadNoMore() throws IOException {
        PooledFile file = file(new FilePool(new HadoopFileStore(), 3), 7);
        assertThat(first(file)).isEqualTo((byte) 7);
        file.delete();
        assertThatThrownBy(() -> first(file)).isInstanceOf(NoSuchFileException.class);
        assertThat(directory).isEmptyDirectory();
    }

    private PooledFile file(FilePool pool, int content) throws IOException {
        Path path = directory.resolve("f" + content);
        Files.write(path, new byte[] {(byte) content});
        return pool.file(path.toString());
    }

    private static byte first(PooledFile file) throws IOException {
        byte[] bytes = new byte[1];
        file.readFully(0, bytes, 0, 1);
        return bytes[0];
    }
}
