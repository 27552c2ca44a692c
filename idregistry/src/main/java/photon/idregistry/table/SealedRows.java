package photon.idregistry.table;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Reads the rows of a sealed file in order, ever more blocks at once. Used by one thread. */
final class SealedRows {
    private static final int BLOCKS_AT_ONCE_MAX = 64;

    private final SealedFile file;
    private final CRC32C crc = new CRC32C();
    private ByteBuffer buffer = ByteBuffer.allocate(SealedFormat.BLOCK);

    /** The first block behind the buffer. */
    private int nextBlock;

    private int rowsLeft;

    /** Where in the buffer the next block begins. */
    private int blockAt;

    /** Begins with rows of this timestamp, or those of a block before. */
    SealedRows(SealedFile file, long fromMicros) {
        this.file = file;
        this.nextBlock = file.firstBlockOf(fromMicros);
        buffer.limit(0);
    }

    /** Fills the row with the next one. False at the end. */
    boolean next(IdRow into) throws IOException {
        if (rowsLeft == 0 && !enterBlock()) {
            return false;
        }
        rowsLeft--;
        into.setId(buffer.getLong(), buffer.getLong(), buffer.getLong(), buffer.getInt());
        into.setToken(buffer.getLong(), buffer.getLong());
        return true;
    }

    private boolean enterBlock() throws IOException {
        if (blockAt == buffer.limit()) {
            int blocksMax = buffer.capacity() / SealedFormat.BLOCK;
            if (blockAt > 0 && blocksMax < BLOCKS_AT_ONCE_MAX) {
                blocksMax *= 2;
                buffer = ByteBuffer.allocate(blocksMax * SealedFormat.BLOCK);
            }
            int blocks = Math.min(blocksMax, file.blocks() - nextBlock);
            if (blocks <= 0) {
                return false;
            }
            buffer.clear().limit(blocks * SealedFormat.BLOCK);
            file.file().read(buffer, SealedFormat.BLOCK * (1L + nextBlock));
            buffer.flip();
            for (int i = 0; i < blocks; i++) {
                file.checkBlock(buffer, i * SealedFormat.BLOCK, nextBlock + i, crc);
            }
            nextBlock += blocks;
            blockAt = 0;
        }
        rowsLeft = buffer.getInt(blockAt + 4);
        buffer.position(blockAt + SealedFormat.BLOCK_HEADER);
        blockAt += SealedFormat.BLOCK;
        return true;
    }
}
