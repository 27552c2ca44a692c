package photon.storage.tail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.primitives.Bytes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.proto.v1.FramedRecord;
import photon.storage.files.HadoopFileStore;
import photon.storage.files.IrregularFiles;

/** What the first records of a file are, whatever its format. */
class FileHeadTest {
    private static final byte[] LINES = TestLogs.utf8("a,1\nb,2\r\n\nc,3\n");

    @TempDir Path directory;

    private FileHead read(byte[] content, int recordsMax) throws IOException {
        Path file = Files.write(directory.resolve("log"), content);
        return FileHead.read(new HadoopFileStore(), file.toString(), recordsMax, 1 << 20);
    }

    private static List<String> texts(FileHead head) {
        return head.records().stream().map(r -> new String(r, StandardCharsets.UTF_8)).toList();
    }

    @Test
    void linesAsTheyAreOrCompressed() throws Exception {
        FileHead plain = read(LINES, 10);
        assertThat(texts(plain)).containsExactly("a,1", "b,2\r", "", "c,3");
        assertThat(plain.compression()).isEmpty();
        assertThat(plain.framed()).isFalse();
        assertThat(plain.atEnd()).isTrue();
        FileHead gzip = read(TestLogs.gzip(LINES), 10);
        assertThat(texts(gzip)).isEqualTo(texts(plain));
        assertThat(gzip.compression()).isEqualTo("gzip");
        FileHead zstd = read(TestLogs.zstd(LINES), 10);
        assertThat(texts(zstd)).isEqualTo(texts(plain));
        assertThat(zstd.compression()).isEqualTo("zstd");
    }

    @Test
    void framesAreKnownByTheFirst() throws Exception {
        byte[] frames = Bytes.concat(TestLogs.frame("{\"t\": 1}"), TestLogs.frame("{\"t\": 2}"));
        FileHead head = read(frames, 10);
        assertThat(head.framed()).isTrue();
        assertThat(head.records()).hasSize(2);
        assertThat(FramedRecord.parseFrom(head.records().get(1)).getJson().toStringUtf8())
                .isEqualTo("{\"t\": 2}");
    }

    /** A plain file may grow on, so that its unterminated end is no record; that of gzip is one. */
    @Test
    void endsThatAreNotWhole() throws Exception {
        FileHead plain = read(TestLogs.utf8("a,1\nb,"), 10);
        assertThat(texts(plain)).containsExactly("a,1");
        assertThat(texts(read(TestLogs.gzip(TestLogs.utf8("a,1\nb,2")), 10)))
                .containsExactly("a,1", "b,2");
        byte[] zstd = TestLogs.zstd(LINES);
        FileHead half = read(Arrays.copyOf(zstd, zstd.length - 2), 10);
        assertThat(half.records()).as("its checksum is missing").isEmpty();
        assertThat(half.trouble()).isEmpty();
    }

    @Test
    void boundsEmptyFilesAndMarks() throws Exception {
        FileHead first = read(LINES, 2);
        assertThat(texts(first)).containsExactly("a,1", "b,2\r");
        assertThat(first.atEnd()).isFalse();
        assertThat(read(new byte[0], 2).records()).isEmpty();
        assertThat(texts(read(TestLogs.utf8("\uFEFFa,1\n"), 2))).containsExactly("a,1");
        byte[] corrupt = TestLogs.gzip(TestLogs.utf8("a,1\n".repeat(1_000)));
        corrupt[corrupt.length / 2] ^= 0x55;
        assertThat(read(corrupt, 2).trouble()).isNotEmpty();
    }

    @Test
    void whatIsNoRegularFileIsNotOpened() throws Exception {
        Path fifo = directory.resolve("fifo");
        IrregularFiles.fifo(fifo);
        assertThatThrownBy(() -> FileHead.read(new HadoopFileStore(), fifo.toString(), 1, 1 << 20))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("FIFO");
    }
}
