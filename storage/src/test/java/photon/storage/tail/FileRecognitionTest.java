package photon.storage.tail;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import photon.storage.files.FileStore.FileInfo;
import photon.storage.files.MemoryFileStore;

final class FileRecognitionTest {
    private static final byte[] CONTENT = "line of a log\n".repeat(2_000).getBytes(UTF_8);

    private final MemoryFileStore files = new MemoryFileStore(1);

    /** What a checkpoint holds of a plain file with this content. */
    private static FilePosition read(byte[] content, int prefixLength) {
        Prefix prefix = Prefix.of(content, prefixLength);
        return new FilePosition(
                "/logs/before", "gone", prefix.length(), prefix.hash(), content.length);
    }

    private FilePosition at(String path) throws IOException {
        FileInfo info = Objects.requireNonNull(files.stat(path));
        return new FilePosition(path, info.key(), 0, "", info.length());
    }

    private static byte[] gzip(byte[] content) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(content);
        }
        return out.toByteArray();
    }

    @Test
    void aCopyAndWhatWasCompressedAreTheSame() throws IOException {
        FilePosition whole = read(CONTENT, Prefix.BYTES_MAX);
        FilePosition shorter = read(CONTENT, 100);
        FilePosition another = read("another line\n".repeat(900).getBytes(UTF_8), 100);
        List<FilePosition> wanted = List.of(another, whole, shorter);
        files.put("/logs/copy", CONTENT);
        files.put("/logs/a.gz", gzip(CONTENT));
        files.put("/logs/a.zst", Zstd.compress(CONTENT));
        for (String path : List.of("/logs/copy", "/logs/a.gz", "/logs/a.zst")) {
            assertThat(FileRecognition.recognise(files, at(path), wanted))
                    .as(path)
                    .contains(List.of(whole, shorter));
        }
    }

    @Test
    void aFileThatIsShorterThanWhatIsKnownIsNot() throws IOException {
        files.put("/logs/cut", Arrays.copyOf(CONTENT, 99));
        FilePosition wanted = read(CONTENT, 100);
        assertThat(FileRecognition.recognise(files, at("/logs/cut"), List.of(wanted)))
                .contains(List.of());
    }

    @Test
    void oneThatIsGoneOrAnotherByNowCannotBeTold() throws IOException {
        FilePosition wanted = read(CONTENT, 100);
        files.put("/logs/copy", CONTENT);
        FilePosition copy = at("/logs/copy");
        files.delete("/logs/copy");
        assertThat(FileRecognition.recognise(files, copy, List.of(wanted))).isEmpty();
        files.put("/logs/other", CONTENT);
        files.put("/logs/copy", CONTENT);
        assertThat(FileRecognition.recognise(files, copy, List.of(wanted))).isEmpty();
    }
}
