package photon.idregistry.table;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Holds the one block of a sealed file that was read last, checked. One thread. */
final class BlockReader {
    private final CRC32C crc = new CRC32C();
    private final ByteBuffer block = ByteBuffer.allocateDirect(SealedFormat.BLOCK);
    private @Nullable SealedFile loadedOf;
    private int loaded;

    /**
     * The block with this number. Of the reader's own memory.
     *
     * @throws DamagedFileException if it is not as it was written
     */
    ByteBuffer block(SealedFile of, int number) throws IOException {
        if (loadedOf != of || loaded != number) {
            loadedOf = null;
            block.clear();
            of.file().read(block, SealedFormat.BLOCK * (1L + number));
            of.checkBlock(block, 0, number, crc);
            loadedOf = of;
            loaded = number;
        }
        return block;
    }

    /** Keeps nothing of any file. */
    void forget() {
        loadedOf = null;
    }
}
