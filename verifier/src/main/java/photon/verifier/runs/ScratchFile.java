package photon.verifier.runs;

import static photon.core.error.Checks.check;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.AppendFile;
import photon.storage.files.FileStore.ReadFile;

/**
 * One scratch file of runs, one behind another: first written, then read, then deleted. A run is
 * cut into blocks with a checksum each: a bit that a disk has changed must not make an identity
 * look absent. Never synced: nothing in it outlives its process. Not thread-safe.
 */
final class ScratchFile implements AutoCloseable {
    /** Rows of a block; a reader holds one block a run. */
    static final int BLOCK_ROWS = 256;

    private static final int HEAD_BYTES = 8;
    private static final int BUFFER_BYTES = 256 << 10;
    private static final int NAMES_MAX = 10_000;

    private final FileStore files;
    private final String path;
    private final AppendFile file;
    private final ByteBuffer block = ByteBuffer.allocate(BLOCK_ROWS * IdColumns.ROW_BYTES);
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    private final CRC32C crc = new CRC32C();
    private final List<Run> runs = new ArrayList<>();
    private long begin;
    private long rows;
    private boolean written;
    private @Nullable ReadFile open;

    private ScratchFile(FileStore files, String path, AppendFile file) {
        this.files = files;
        this.path = path;
        this.file = file;
    }

    /**
     * Part of the file.
     *
     * @param offset where it begins
     * @param rows how many
     */
    record Run(long offset, long rows) {}

    /** Makes one; its directory too, if need be. */
    static ScratchFile create(FileStore files, String directory, String name) throws IOException {
        if (files.stat(directory) == null) {
            files.createDirectories(directory);
        }
        FileAlreadyExistsException taken = null;
        for (int i = 1; i <= NAMES_MAX; i++) {
            String path = "%s/%s.%s".formatted(directory, name, i);
            try {
                return new ScratchFile(files, path, files.create(path));
            } catch (FileAlreadyExistsException e) {
                // Another repairer's: the next name may be free.
                taken = e;
            }
        }
        throw new IOException(
                "Expected a free name for %s in %s, but %s are taken"
                        .formatted(name, directory, NAMES_MAX),
                taken);
    }

    List<Run> runs() {
        return runs;
    }

    /** Appends one row to the run that is being written. */
    void add(IdColumns from, int row) throws IOException {
        from.write(row, block);
        rows++;
        if (!block.hasRemaining()) {
            endBlock();
        }
    }

    void endRun() throws IOException {
        endBlock();
        runs.add(new Run(begin, rows));
        begin = file.position() + buffer.position();
        rows = 0;
    }

    private void endBlock() throws IOException {
        int length = block.position();
        if (length == 0) {
            return;
        }
        if (buffer.remaining() < HEAD_BYTES + length) {
            drain();
        }
        crc.reset();
        crc.update(block.array(), 0, length);
        buffer.putInt(length).putInt((int) crc.getValue()).put(block.array(), 0, length);
        block.clear();
    }

    private void drain() throws IOException {
        int length = buffer.position();
        buffer.clear();
        file.write(buffer.array(), 0, length);
    }

    /** Ends the writing; safe to call twice. */
    void endWriting() throws IOException {
        if (!written) {
            check(rows == 0, "Expected the run to be ended, but it has %s rows", rows);
            written = true;
            try (file) {
                drain();
            }
        }
    }

    /** Reads one run; ends the writing. */
    RunReader read(Run run) throws IOException {
        endWriting();
        if (open == null) {
            open = files.open(path);
        }
        return new RunReader(open, path, run);
    }

    /** Deletes the file; what fails is left to the next start. */
    @Override
    public void close() {
        try {
            try (file) {
                if (open != null) {
                    open.close();
                    open = null;
                }
            }
        } catch (IOException e) {
            written = true; // closed as far as it can be
        }
        try {
            files.delete(path);
        } catch (IOException e) {
            written = true;
        }
    }

    /** Reads the rows of one run, a block at a time. */
    static final class RunReader {
        private final ReadFile file;
        private final String path;
        private final byte[] bytes = new byte[HEAD_BYTES + BLOCK_ROWS * IdColumns.ROW_BYTES];
        private final IdColumns rows = new IdColumns(BLOCK_ROWS);
        private final CRC32C crc = new CRC32C();
        private long offset;
        private long left;
        private int at = -1;

        RunReader(ReadFile file, String path, Run run) {
            this.file = file;
            this.path = path;
            this.offset = run.offset();
            this.left = run.rows();
        }

        /** The block in which it stands. */
        IdColumns rows() {
            return rows;
        }

        /** The row in it. */
        int at() {
            return at;
        }

        boolean next() throws IOException {
            if (++at < rows.size()) {
                return true;
            }
            if (left == 0) {
                return false;
            }
            readBlock();
            left -= rows.size();
            at = 0;
            return true;
        }

        private void readBlock() throws IOException {
            int length = (int) Math.min(left, BLOCK_ROWS) * IdColumns.ROW_BYTES;
            int filled = 0;
            while (filled < HEAD_BYTES + length) {
                int n = file.read(offset + filled, bytes, filled, HEAD_BYTES + length - filled);
                if (n <= 0) {
                    throw damaged();
                }
                filled += n;
            }
            ByteBuffer block = ByteBuffer.wrap(bytes, 0, HEAD_BYTES + length);
            int written = block.getInt();
            int sum = block.getInt();
            crc.reset();
            crc.update(bytes, HEAD_BYTES, length);
            if (written != length || sum != (int) crc.getValue()) {
                throw damaged();
            }
            rows.clear();
            while (block.hasRemaining()) {
                rows.read(block);
            }
            offset += HEAD_BYTES + length;
        }

        private IOException damaged() {
            return new IOException(
                    "Expected what was written to the scratch file %s at %s, but read something else"
                            .formatted(path, offset));
        }
    }
}
