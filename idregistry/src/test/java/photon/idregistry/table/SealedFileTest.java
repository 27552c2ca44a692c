package photon.idregistry.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.core.id.EventId;
import photon.idregistry.replicated.GradualRemoval;
import photon.idregistry.replicated.StoredFile;
import photon.idregistry.table.TableFiles.TableFile;

final class SealedFileTest {
    private static final SealedSpan.Name NAME = new SealedSpan.Name(0, 100, 7);

    private final MemoryTableFiles files = new MemoryTableFiles();

    /** Four blocks, of which the middle two have one timestamp only. */
    private static List<EventId> ids() {
        TreeSet<EventId> ids = new TreeSet<>();
        for (int i = 0; i < 350; i++) {
            long micros = i < 60 ? i * 1_000_000L : i < 300 ? 70_000_000 : 70_000_000L + i;
            ids.add(new EventId(micros, i % 3 - 1, i * 7L - 900, i % 5 - 2));
        }
        return new ArrayList<>(ids);
    }

    private SealedFile write(TableFiles to) throws IOException {
        try (SealedFileWriter out = new SealedFileWriter(to.create(), NAME, 350)) {
            for (EventId id : ids()) {
                IdRow row = new IdRow();
                row.set(id);
                row.setToken(IdRow.owner(1, 2), id.serverLow());
                out.add(row);
            }
            return out.finish();
        }
    }

    private static void readAll(SealedFile file) throws IOException {
        IdRow row = new IdRow();
        for (EventId id : ids()) {
            row.set(id);
            assertThat(file.find(row, new BlockReader())).as("%s", id).isTrue();
            assertThat(row.holderSequence).isEqualTo(id.serverLow());
            row.set(new EventId(id.micros(), id.serverHigh(), id.serverLow(), 9));
            assertThat(file.find(row, new BlockReader())).isFalse();
        }
        SealedRows rows = new SealedRows(file, 0);
        List<EventId> found = new ArrayList<>();
        while (rows.next(row)) {
            found.add(new EventId(row.micros, row.serverHigh, row.serverLow, row.process));
        }
        assertThat(found).isEqualTo(ids());
    }

    @Test
    void whatWasWrittenIsFoundAndNothingElse() throws IOException {
        SealedFile file = write(files);
        assertThat(file.blocks()).isEqualTo(4);
        assertThat(file.name()).isEqualTo(NAME);
        readAll(file);
        IdRow row = new IdRow();
        for (long micros : new long[] {0, 69_999_999, 70_000_001, Long.MAX_VALUE}) {
            row.setId(micros, 5, 5, 5);
            assertThat(file.find(row, new BlockReader())).isFalse();
        }
    }

    @Test
    void anEmptyFileHoldsNothing() throws IOException {
        try (SealedFileWriter out = new SealedFileWriter(files.create(), NAME, 0)) {
            SealedFile file = out.finish();
            IdRow row = new IdRow();
            row.setId(1, 2, 3, 4);
            assertThat(file.find(row, new BlockReader())).isFalse();
            assertThat(new SealedRows(file, 0).next(row)).isFalse();
        }
    }

    @Test
    void anyByteThatIsNotAsItWasWrittenIsNoticed() throws IOException {
        byte[] whole = bytes(write(files));
        for (int at = 0; at < whole.length; at += at % 512 < 64 ? 1 : 37) {
            byte[] flipped = whole.clone();
            flipped[at] = (byte) (flipped[at] ^ 1 << (at % 8));
            assertThatThrownBy(() -> readAll(SealedFile.open(files.adopt(new Bytes(flipped)))))
                    .as("byte %s", at)
                    .isInstanceOf(DamagedFileException.class)
                    .hasMessageContaining("sealed-")
                    .hasMessageContaining("offset");
        }
    }

    @Test
    void aFileThatIsCutOffOrGoesOnIsNoticed() throws IOException {
        byte[] whole = bytes(write(files));
        List<Integer> lengths = new ArrayList<>(List.of(0, 1, whole.length - 1, whole.length + 1));
        for (int block = 1; block * SealedFormat.BLOCK <= whole.length; block++) {
            lengths.add(block * SealedFormat.BLOCK);
            lengths.add(block * SealedFormat.BLOCK - 1);
            lengths.add(block * SealedFormat.BLOCK + 1);
        }
        for (int length : lengths) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> SealedFile.open(files.adopt(new Bytes(cut))))
                    .as("%s bytes", length)
                    .isInstanceOf(DamagedFileException.class);
        }
    }

    @Test
    void blocksThatHaveChangedPlacesAreNoticed() throws IOException {
        byte[] whole = bytes(write(files));
        byte[] second = Arrays.copyOfRange(whole, 8192, 12288);
        System.arraycopy(whole, 12288, whole, 8192, 4096);
        System.arraycopy(second, 0, whole, 12288, 4096);
        assertThatThrownBy(() -> readAll(SealedFile.open(files.adopt(new Bytes(whole)))))
                .isInstanceOf(DamagedFileException.class)
                .hasMessageContaining("the checksum of block");
    }

    @Test
    void anotherFormatIsNamed() throws IOException {
        byte[] whole = bytes(write(files));
        whole[11] = SealedFormat.VERSION + 1;
        assertThatThrownBy(() -> SealedFile.open(files.adopt(new Bytes(whole))))
                .hasMessageContaining("is format version 2: expected 1, as this Photon writes it");
    }

    @Test
    void aReaderThatIsInterruptedReadsOn(@TempDir Path directory) throws IOException {
        try (LocalTableFiles local = LocalTableFiles.in(directory)) {
            SealedFile file = write(local);
            Thread.currentThread().interrupt();
            readAll(file);
            assertThat(Thread.interrupted()).isTrue();
            readAll(file);
        }
    }

    @Test
    void aFileInADirectoryIsLinkedAndGoesWithItsLastUser(@TempDir Path directory)
            throws IOException {
        try (LocalTableFiles one = LocalTableFiles.in(directory.resolve("one"));
                LocalTableFiles other = LocalTableFiles.in(directory.resolve("other"))) {
            SealedFile file = write(one);
            Path path = path(file.file());
            TableFile linked = other.adopt(file.file());
            file.retain().release();
            assertThat(path).exists();
            file.release();
            assertThat(path).doesNotExist();
            readAll(SealedFile.open(linked));
            assertThatThrownBy(() -> linked.read(ByteBuffer.allocate(2), linked.size() - 1))
                    .isInstanceOf(DamagedFileException.class);
        }
        Path leftover = directory.resolve("other/1.ids");
        assertThat(leftover).exists();
        LocalTableFiles.in(directory.resolve("other")).close();
        assertThat(leftover).doesNotExist();
    }

    private static TableFile large(LocalTableFiles files) throws IOException {
        try (TableFiles.NewFile made = files.create()) {
            for (int mebibyte = 0; mebibyte < 20; mebibyte++) {
                made.write(ByteBuffer.allocate(1 << 20));
            }
            return made.finish();
        }
    }

    /** A file system that frees gigabytes at once holds up the log's forces. */
    @Test
    void aLargeFileGoesInPiecesUnlessItHasAnotherName(@TempDir Path directory) throws IOException {
        List<Long> sizes = new ArrayList<>();
        Path own = directory.resolve("one/1.ids");
        try (LocalTableFiles one =
                        LocalTableFiles.in(
                                directory.resolve("one"),
                                Runnable::run,
                                freed -> sizes.add(own.toFile().length()));
                LocalTableFiles other = LocalTableFiles.in(directory.resolve("other"))) {
            TableFile file = large(one);
            assertThat(path(file)).isEqualTo(own);
            file.delete();
            assertThat(sizes).containsExactly(12L << 20, 4L << 20);
            assertThat(own).doesNotExist();

            sizes.clear();
            TableFile shared = large(one);
            TableFile linked = other.adopt(shared);
            shared.delete();
            assertThat(sizes).isEmpty();
            assertThat(path(shared)).doesNotExist();
            assertThat(path(linked)).hasSize(20 << 20);

            Path pointer = Files.createSymbolicLink(directory.resolve("pointer"), path(linked));
            GradualRemoval.delete(pointer, freed -> {});
            assertThat(pointer).doesNotExist();
            assertThat(path(linked)).hasSize(20 << 20);
        }
    }

    /** As at the end of a process: what is left is removed, and nobody waits for it. */
    @Test
    void anInterruptedThreadRemovesALargeFileAtOnce(@TempDir Path directory) throws IOException {
        Path file = Files.write(directory.resolve("large"), new byte[20 << 20]);
        List<Long> pieces = new ArrayList<>();
        Thread.currentThread().interrupt();
        try {
            GradualRemoval.delete(file, pieces::add);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(file).doesNotExist();
        assertThat(pieces).isEmpty();

        Files.write(file, new byte[20 << 20]);
        GradualRemoval.delete(
                file,
                freed -> {
                    pieces.add(freed);
                    Thread.currentThread().interrupt();
                });
        assertThat(Thread.interrupted()).isTrue();
        assertThat(file).doesNotExist();
        assertThat(pieces).hasSize(1);
    }

    private static Path path(TableFile file) {
        return Objects.requireNonNull(file.path());
    }

    private static byte[] bytes(SealedFile file) throws IOException {
        try (InputStream in = file.file().open()) {
            return in.readAllBytes();
        }
    }

    private record Bytes(byte[] content) implements StoredFile {
        @Override
        public InputStream open() {
            return new ByteArrayInputStream(content);
        }

        @Override
        public long size() {
            return content.length;
        }

        @Override
        public @Nullable Path path() {
            return null;
        }
    }
}
