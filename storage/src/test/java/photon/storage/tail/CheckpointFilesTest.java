package photon.storage.tail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import photon.storage.document.VersionedDocument;
import photon.storage.files.FileStore;
import photon.storage.files.MemoryFileStore;
import photon.storage.tail.CheckpointFiles.Change;

class CheckpointFilesTest {
    private static final String DIRECTORY = "/checkpoint";
    private static final GoneFiles GONE = new GoneFiles(7, "/logs/away", 1_000);

    private final MemoryFileStore files = new MemoryFileStore();
    private final VersionedDocument document =
            new VersionedDocument(files, DIRECTORY, CheckpointFiles.DOCUMENT);
    private long version;

    @BeforeEach
    void makeDirectory() throws IOException {
        files.createDirectories(DIRECTORY);
    }

    private static FilePosition position(int file, long offset) {
        String path = "/logs/producer-%03d/hour-%05d.log".formatted(file % 100, file / 100);
        String hash = "%064x".formatted(file * 31L);
        return new FilePosition(path, "2049:" + (1_000_000 + file), 8_192, hash, offset, 77 + file);
    }

    private static List<FilePosition> positions(int count) {
        List<FilePosition> positions = new ArrayList<>();
        for (int file = 0; file < count; file++) {
            positions.add(position(file, 5));
        }
        return positions;
    }

    private void write(CheckpointFiles checkpoint, long owner, Change change) throws IOException {
        assertThat(document.write(version, checkpoint.write(owner, change))).isTrue();
        version++;
        checkpoint.written(owner, change);
    }

    private Checkpoint read() throws IOException {
        return CheckpointFiles.read(files, DIRECTORY).orElseThrow();
    }

    private List<String> names() throws IOException {
        return files.list(DIRECTORY).stream()
                .map(file -> file.path().substring(DIRECTORY.length() + 1))
                .filter(name -> name.startsWith("positions-"))
                .toList();
    }

    @Test
    void whatMovesIsReadOverWhatStood() throws IOException {
        CheckpointFiles checkpoint = new CheckpointFiles(files, DIRECTORY);
        write(checkpoint, 3, new Change(List.of(), positions(3), GONE));
        write(checkpoint, 3, new Change(List.of(position(1, 9), position(8, 1)), null, GONE));
        assertThat(read().owner()).isEqualTo(3);
        assertThat(read().gone()).isEqualTo(GONE);
        assertThat(read().positions())
                .containsExactlyInAnyOrder(
                        position(0, 5), position(1, 9), position(2, 5), position(8, 1));
    }

    @Test
    void aNewOwnerGoesOnFromWhatItFound() throws IOException {
        CheckpointFiles before = new CheckpointFiles(files, DIRECTORY);
        write(before, 1, new Change(List.of(), positions(3), GONE));
        write(before, 1, new Change(List.of(position(1, 9)), null, GONE));
        CheckpointFiles next = new CheckpointFiles(files, DIRECTORY);
        Checkpoint resumed = next.resume(document.read().orElseThrow().content());
        document.write(version++, next.claim(2));
        assertThat(read()).isEqualTo(new Checkpoint(2, resumed.positions(), GONE));
    }

    @Test
    void hashesOfAnyFormAndPathsWithoutAnythingInCommonSurvive() throws IOException {
        List<FilePosition> odd =
                List.of(
                        new FilePosition("/a", "k1", 0, "", 0, 0),
                        new FilePosition("/ä/b", "k2", 3, "hash", 1L << 40, 5),
                        new FilePosition("hdfs://n/x", "k3", 1, "AB".repeat(32), 1, -1));
        write(new CheckpointFiles(files, DIRECTORY), 1, new Change(List.of(), odd, GoneFiles.NONE));
        assertThat(read().positions()).containsExactlyInAnyOrderElementsOf(odd);
    }

    @Test
    void whatIsKnownOfContentsSurvives() throws IOException {
        List<FilePosition> all =
                List.of(
                        position(1, 5).withContent(0xCAFEBABE),
                        position(2, 5),
                        position(3, 5).withContent(0));
        CheckpointFiles checkpoint = new CheckpointFiles(files, DIRECTORY);
        write(
                checkpoint,
                1,
                new Change(List.of(position(4, 6).withContent(-1)), all, GoneFiles.NONE));
        assertThat(read().positions())
                .containsExactlyInAnyOrder(
                        all.get(0), all.get(1), all.get(2), position(4, 6).withContent(-1));
    }

    @Test
    void aFileWithoutContentsIsReadAsWell() throws IOException {
        List<FilePosition> all = List.of(position(1, 5), position(2, 6));
        byte[] now = PositionsCodec.encode(all);
        int end = now.length - Integer.BYTES - all.size();
        CRC32C crc = new CRC32C();
        crc.update(now, 0, end);
        byte[] before =
                ByteBuffer.allocate(end + Integer.BYTES)
                        .put(now, 0, end)
                        .putInt((int) crc.getValue())
                        .array();
        try (FileStore.AppendFile file = files.create(DIRECTORY + "/before")) {
            file.write(before, 0, before.length);
        }
        assertThat(PositionsCodec.read(files, DIRECTORY + "/before")).isEqualTo(all);
    }

    @Test
    void twoFilesOfAllPositionsAreKeptAtMost() throws IOException {
        CheckpointFiles checkpoint = new CheckpointFiles(files, DIRECTORY);
        for (int i = 1; i <= 4; i++) {
            write(checkpoint, 1, new Change(List.of(), positions(i), GoneFiles.NONE));
        }
        assertThat(names())
                .containsExactly(
                        "positions-0000000001-0000000003", "positions-0000000001-0000000004");
    }

    /** A document whose newest version is damaged is read in the version before. */
    @Test
    void theFileThatTheVersionBeforeNamesIsThere() throws IOException {
        CheckpointFiles checkpoint = new CheckpointFiles(files, DIRECTORY);
        write(checkpoint, 1, new Change(List.of(), positions(1), GoneFiles.NONE));
        write(checkpoint, 1, new Change(List.of(), positions(2), GoneFiles.NONE));
        files.delete(DIRECTORY + "/checkpoint.00000000000000000002");
        assertThat(read().positions()).hasSize(1);
    }

    @Test
    void aStalledOwnerRemovesNothingOfALaterOnes() throws IOException {
        CheckpointFiles stalled = new CheckpointFiles(files, DIRECTORY);
        CheckpointFiles next = new CheckpointFiles(files, DIRECTORY);
        Change change = new Change(List.of(), positions(1), GoneFiles.NONE);
        next.write(2, change);
        write(stalled, 1, change);
        assertThat(names()).contains("positions-0000000002-0000000001");
    }

    @Test
    void aPowerCutBeforeTheDocumentLeavesTheOneBefore() throws IOException {
        CheckpointFiles checkpoint = new CheckpointFiles(files, DIRECTORY);
        files.syncDirectory("/");
        write(checkpoint, 1, new Change(List.of(), positions(1), GoneFiles.NONE));
        checkpoint.write(1, new Change(List.of(), positions(2), GoneFiles.NONE));
        assertThat(CheckpointFiles.read(files.durableCopy(), DIRECTORY).orElseThrow().positions())
                .hasSize(1);
    }

    @Test
    void whatADocumentNamesIsDurableBeforeTheDocumentIs() throws IOException {
        files.syncDirectory("/");
        CheckpointFiles checkpoint = new CheckpointFiles(files, DIRECTORY);
        write(checkpoint, 1, new Change(List.of(), positions(2), GoneFiles.NONE));
        assertThat(CheckpointFiles.read(files.durableCopy(), DIRECTORY).orElseThrow().positions())
                .hasSize(2);
    }

    @Test
    void aDamagedFileIsRefused() throws IOException {
        CheckpointFiles checkpoint = new CheckpointFiles(files, DIRECTORY);
        write(checkpoint, 1, new Change(List.of(), positions(2), GoneFiles.NONE));
        String path = DIRECTORY + "/" + names().get(0);
        byte[] bytes = files.content(path);
        bytes[bytes.length / 2] ^= 1;
        files.delete(path);
        try (FileStore.AppendFile file = files.create(path)) {
            file.write(bytes, 0, bytes.length);
        }
        assertThatThrownBy(this::read).isInstanceOf(IOException.class).hasMessageContaining(path);
    }

    /** Three days of hourly files of 100 producers, and as many in the document as ever. */
    @Test
    void aPositionTakesLittle() throws IOException {
        byte[] whole = PositionsCodec.encode(positions(7_200));
        assertThat(whole.length / 7_200).isLessThan(90);
        Checkpoint moved = new Checkpoint(1, positions(2_048));
        assertThat(CheckpointFiles.content(moved).length).isLessThan(1_000_000);
    }
}
