package photon.eventstore.index;

import static photon.core.error.Checks.check;

/**
 * Bounds of a log index.
 *
 * @param recentBytes memory for rows that are in no sealed part yet: a table that fills, and one
 *     that is being sealed
 * @param recentSegments how many segments a table stands for when it is sealed, however few rows it
 *     has: a start reads them again
 * @param segmentBytes a segment of this size is ended, and the next one begun
 * @param blockBytes events that are compressed together, before compression: what a lookup
 *     decompresses. A larger event is alone
 * @param partsMerged how many parts of about one size are merged into one
 * @param partRowsMax no merge makes a larger part
 * @param openFilesMax files held open for reading
 * @param cacheBytes memory for the newest blocks, which need not be read; 0 keeps none
 */
public record IndexLimits(
        long recentBytes,
        int recentSegments,
        long segmentBytes,
        int blockBytes,
        int partsMerged,
        long partRowsMax,
        int openFilesMax,
        long cacheBytes) {
    public static final IndexLimits DEFAULTS =
            new IndexLimits(64L << 20, 4, 64L << 20, 8 << 10, 8, 1L << 27, 256, 64L << 20);

    public IndexLimits {
        check(
                recentBytes > 0
                        && recentSegments > 0
                        && segmentBytes > 0
                        && segmentBytes <= 1L << 30
                        && blockBytes > 0
                        && partsMerged > 1
                        && partRowsMax > 0
                        && openFilesMax > 0
                        && cacheBytes >= 0,
                "Expected limits above 0, and segments of at most 1 GiB, but got %s bytes, %s files, and a cache of %s bytes",
                segmentBytes,
                openFilesMax,
                cacheBytes);
    }

    /** The same with another bound on the newest blocks. */
    public IndexLimits withCacheBytes(long bytes) {
        return new IndexLimits(
                recentBytes,
                recentSegments,
                segmentBytes,
                blockBytes,
                partsMerged,
                partRowsMax,
                openFilesMax,
                bytes);
    }

    /** Rows of a table that is full. */
    int recentRows() {
        return RecentTable.rowsFor(recentBytes / 2);
    }
}
