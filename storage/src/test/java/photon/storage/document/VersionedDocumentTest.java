package photon.storage.document;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.storage.files.FileStore;
import photon.storage.files.HadoopFileStore;
import photon.storage.files.MemoryFileStore;

class VersionedDocumentTest {
    private static final FileStore FILES = new HadoopFileStore();

    @TempDir Path directory;
    private VersionedDocument document;

    @BeforeEach
    void open() {
        document = new VersionedDocument(FILES, directory.toString(), "checkpoint");
    }

    @Test
    void thereIsNothingBeforeTheFirstWrite() throws IOException {
        assertThat(document.read()).isEmpty();
    }

    @Test
    void theLastWrittenVersionIsReadAndTwoAreKept() throws IOException {
        for (int i = 0; i < 5; i++) {
            assertThat(document.write(i, bytes("content " + i))).isTrue();
        }
        assertThat(text()).isEqualTo("content 4");
        assertThat(document.read().orElseThrow().number()).isEqualTo(5);
        assertThat(names()).hasSize(2);
    }

    @Test
    void onlyOneOfTwoWritersOfAVersionSucceeds() throws IOException {
        VersionedDocument other = new VersionedDocument(FILES, directory.toString(), "checkpoint");
        assertThat(document.write(0, bytes("mine"))).isTrue();
        assertThat(other.write(0, bytes("theirs"))).isFalse();
        assertThat(text()).isEqualTo("mine");
    }

    @Test
    void aStalledWriterIsRefusedThoughItsVersionWasRemovedMeanwhile() throws IOException {
        document.write(0, bytes("claimed"));
        VersionedDocument other = new VersionedDocument(FILES, directory.toString(), "checkpoint");
        for (int i = 1; i < 6; i++) {
            other.write(i, bytes("other " + i));
        }
        assertThat(document.write(1, bytes("late"))).isFalse();
        assertThat(text()).isEqualTo("other 5");
    }

    @Test
    void aDamagedNewestVersionGivesTheOneBeforeAndIsWrittenBehind() throws IOException {
        document.write(0, bytes("first"));
        document.write(1, bytes("second"));
        Path newest = directory.resolve(names().get(1));
        byte[] whole = Files.readAllBytes(newest);
        for (byte[] damaged :
                List.of(new byte[0], bytes("phot"), bytes(new String(whole, UTF_8) + "x"))) {
            Files.write(newest, damaged);
            assertThat(text()).isEqualTo("first");
        }
        long number = document.read().orElseThrow().number();
        assertThat(document.write(number, bytes("third"))).isTrue();
        assertThat(text()).isEqualTo("third");
    }

    @Test
    void aDocumentWithoutAWholeVersionIsAnError() throws IOException {
        document.write(0, bytes("first"));
        Files.write(directory.resolve(names().get(0)), bytes("damaged"));
        assertThatThrownBy(document::read)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("checkpoint");
    }

    @Test
    void whatACrashLeftAsideIsNeitherReadNorInTheWay() throws IOException {
        Files.write(directory.resolve("_checkpoint.00000000000000000001.aside-0"), bytes("half"));
        assertThat(document.read()).isEmpty();
        for (int i = 0; i < 4; i++) {
            assertThat(document.write(i, bytes("content " + i))).isTrue();
        }
        assertThat(names()).hasSize(2).allMatch(name -> name.startsWith("checkpoint."));
    }

    /** As a process does that is started again and again while the disk is full. */
    @Test
    void writesAgainHoweverOftenTheDiskWasFull() throws IOException {
        MemoryFileStore files = new MemoryFileStore();
        files.createDirectories("/state");
        files.setCapacityBytes(10);
        for (int i = 0; i < 1_001; i++) {
            VersionedDocument again = new VersionedDocument(files, "/state", "checkpoint");
            assertThatThrownBy(() -> again.write(0, bytes("content")))
                    .isInstanceOf(IOException.class);
        }
        files.setCapacityBytes(Long.MAX_VALUE);
        assertThat(new VersionedDocument(files, "/state", "checkpoint").write(0, bytes("content")))
                .isTrue();
        assertThat(files.list("/state")).hasSize(1);
    }

    private String text() throws IOException {
        return new String(document.read().orElseThrow().content(), UTF_8);
    }

    private List<String> names() throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }
}
