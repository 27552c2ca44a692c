package photon.eventstore.index;

import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import photon.eventstore.index.FilePool.PooledFile;
import photon.storage.frames.FrameScanner;

/** A segment as lookups read it: its blocks, each checked. Thread-safe. */
final class SegmentFile {
    /** Most blocks are smaller, compressed: one read. */
    static final int FIRST_READ_BYTES = 4 << 10;

    private final SegmentStat stat;
    private final PooledFile file;

    /**
     * @param stat as it was written so far; final once the next segment is begun
     */
    SegmentFile(SegmentStat stat, PooledFile file) {
        this.stat = stat;
        this.file = file;
    }

    SegmentStat stat() {
        return stat;
    }

    long number() {
        return stat.number();
    }

    PooledFile file() {
        return file;
    }

    /**
     * @param into has room for {@link #FIRST_READ_BYTES}
     * @throws DamagedIndexException if no whole block stands there
     */
    Block block(long offset, byte[] into) throws IOException {
        byte[] bytes = into;
        int filled = file.read(offset, bytes, 0, bytes.length);
        FrameScanner scanner = new FrameScanner();
        FrameScanner.@Nullable Found found = filled == 0 ? null : scanner.scan(bytes, 0, filled);
        if (found == FrameScanner.Found.INCOMPLETE) {
            int whole = scanner.end();
            if (whole > filled) {
                bytes = Arrays.copyOf(bytes, whole);
                filled += file.read(offset + filled, bytes, filled, whole - filled);
                found = scanner.scan(bytes, 0, filled);
            }
        }
        if (found != FrameScanner.Found.FRAME) {
            throw new DamagedIndexException(file.path(), offset, "no whole block begins");
        }
        try {
            return Block.of(
                    bytes, FrameScanner.HEADER_BYTES, scanner.end() - FrameScanner.HEADER_BYTES);
        } catch (DamagedIndexException | EOFException e) {
            throw new DamagedIndexException(file.path(), offset, "is no block: " + e.getMessage());
        }
    }
}
