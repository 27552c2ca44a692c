package photon.eventstore.index;

import java.io.IOException;
import java.nio.ByteBuffer;

/** The rows of a part, in order. Not thread-safe. */
final class PartRows {
    private static final int BLOCKS_AT_ONCE = 16;

    private final PartFile part;
    private final byte[] bytes = new byte[BLOCKS_AT_ONCE * PartFormat.BLOCK];
    private final ByteBuffer buffer = ByteBuffer.wrap(bytes);
    private int nextBlock;
    private int blocksHere;
    private int block;
    private int row;

    long high;
    long low;
    long position;

    PartRows(PartFile part) {
        this.part = part;
    }

    /** Goes to the next row; false: there is none. */
    boolean next() throws IOException {
        while (true) {
            if (block < blocksHere) {
                int at = block * PartFormat.BLOCK;
                if (row < buffer.getInt(at + Integer.BYTES)) {
                    at += PartFormat.BLOCK_HEADER + row * PartFormat.ROW;
                    high = buffer.getLong(at);
                    low = buffer.getLong(at + 8);
                    position = buffer.getLong(at + 16);
                    row++;
                    return true;
                }
                block++;
                row = 0;
            } else if (nextBlock < part.blocks()) {
                blocksHere = Math.min(BLOCKS_AT_ONCE, part.blocks() - nextBlock);
                part.read(nextBlock, blocksHere, bytes);
                nextBlock += blocksHere;
                block = 0;
                row = 0;
            } else {
                return false;
            }
        }
    }
}
