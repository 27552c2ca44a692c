package photon.eventstore.index;

import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.CompressionType;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.WALRecoveryMode;

/** How the index uses RocksDB: every memory and file count has a bound here. */
final class RocksSettings implements AutoCloseable {
    /** Data blocks. Filters and block indexes are all in memory beside it: 1.4 bytes a key. */
    private static final long BLOCK_CACHE_BYTES = 32L << 20;

    private static final long WRITE_BUFFER_BYTES = 16L << 20;

    /** One filling, one being flushed: further writes wait. */
    private static final int WRITE_BUFFERS_MAX = 2;

    private static final long WRITE_AHEAD_LOG_BYTES_MAX = 64L << 20;
    private static final int OPEN_FILES_MAX = 256;

    /** About one lookup in a hundred of an absent id reads a block for nothing. */
    private static final double BLOOM_BITS_A_KEY = 10;

    private static final int BLOCK_BYTES = 16 << 10;

    static {
        RocksLibrary.load();
    }

    private final Cache blocks = new LRUCache(BLOCK_CACHE_BYTES);
    private final BloomFilter bloom = new BloomFilter(BLOOM_BITS_A_KEY);
    private final Options options = new Options();

    RocksSettings() {
        options.setCreateIfMissing(true)
                .setTableFormatConfig(
                        new BlockBasedTableConfig()
                                .setBlockCache(blocks)
                                .setBlockSize(BLOCK_BYTES)
                                .setFilterPolicy(bloom))
                .setWriteBufferSize(WRITE_BUFFER_BYTES)
                .setMaxWriteBufferNumber(WRITE_BUFFERS_MAX)
                .setCompressionType(CompressionType.LZ4_COMPRESSION)
                .setBottommostCompressionType(CompressionType.ZSTD_COMPRESSION)
                .setMaxOpenFiles(OPEN_FILES_MAX)
                .setMaxTotalWalSize(WRITE_AHEAD_LOG_BYTES_MAX)
                // A torn end is cut off; since positions are in the log too, reading goes on there.
                .setWalRecoveryMode(WALRecoveryMode.PointInTimeRecovery)
                .setParanoidChecks(true)
                .setMaxLogFileSize(1 << 20)
                .setKeepLogFileNum(3);
    }

    Options options() {
        return options;
    }

    @Override
    public void close() {
        options.close();
        bloom.close();
        blocks.close();
    }
}
