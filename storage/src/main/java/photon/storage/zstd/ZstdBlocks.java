package photon.storage.zstd;

import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import java.util.concurrent.ArrayBlockingQueue;

/**
 * Compresses and decompresses small blocks. To make one of zstd's contexts costs more than a block
 * of some KiB does, so that a few are kept, by the process: their memory is not the heap's, and
 * outlives who forgets to close them. Thread-safe.
 */
public final class ZstdBlocks {
    private static final int KEPT_MAX = 8;
    private static final ArrayBlockingQueue<ZstdCompressCtx> COMPRESSING =
            new ArrayBlockingQueue<>(KEPT_MAX);
    private static final ArrayBlockingQueue<ZstdDecompressCtx> DECOMPRESSING =
            new ArrayBlockingQueue<>(KEPT_MAX);

    static {
        ZstdLibrary.load();
    }

    private ZstdBlocks() {}

    /**
     * Compresses bytes into an array, from an index on.
     *
     * @return how many bytes they take
     * @throws com.github.luben.zstd.ZstdException if there is no room for them
     */
    public static int compress(byte[] from, int length, byte[] into, int at, int level) {
        ZstdCompressCtx context = COMPRESSING.poll();
        if (context == null) {
            context = new ZstdCompressCtx();
        }
        context.setLevel(level);
        int compressed = context.compressByteArray(into, at, into.length - at, from, 0, length);
        if (!COMPRESSING.offer(context)) {
            context.close();
        }
        return compressed;
    }

    /**
     * Fills an array with what was compressed.
     *
     * @return false: that is not what is compressed there
     */
    public static boolean decompress(byte[] from, int at, int length, byte[] into) {
        ZstdDecompressCtx context = DECOMPRESSING.poll();
        if (context == null) {
            context = new ZstdDecompressCtx();
        }
        boolean whole;
        try {
            int found = context.decompressByteArray(into, 0, into.length, from, at, length);
            whole = found == into.length;
        } catch (com.github.luben.zstd.ZstdException e) {
            whole = false;
        }
        if (!DECOMPRESSING.offer(context)) {
            context.close();
        }
        return whole;
    }

    /** How many bytes so many take at most. */
    public static int bound(int length) {
        return Math.toIntExact(com.github.luben.zstd.Zstd.compressBound(length));
    }
}
