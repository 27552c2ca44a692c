package photon.bench;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.CompressionType;
import org.rocksdb.FlushOptions;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;
import photon.eventstore.index.IndexBatch;
import photon.proto.v1.Event;
import photon.storage.tail.FilePosition;

/**
 * A log index on RocksDB: dense, with the record in it, as the event store had it, but with a cache
 * of 256 MiB in four shards. A key's hash is in the event's id, as it is for Photon's own.
 */
final class RocksIndex implements LogIndexBench.Store {
    static {
        RocksDB.loadLibrary();
    }

    private final Options options =
            new Options()
                    .setCreateIfMissing(true)
                    .setTableFormatConfig(
                            new BlockBasedTableConfig()
                                    .setBlockCache(new LRUCache(256L << 20, 2))
                                    .setBlockSize(16 << 10)
                                    .setFilterPolicy(new BloomFilter(10)))
                    .setWriteBufferSize(16L << 20)
                    .setMaxWriteBufferNumber(2)
                    .setCompressionType(CompressionType.LZ4_COMPRESSION)
                    .setBottommostCompressionType(CompressionType.ZSTD_COMPRESSION)
                    .setMaxOpenFiles(256)
                    .setMaxTotalWalSize(64L << 20)
                    .setParanoidChecks(true);
    private final WriteOptions unsynced = new WriteOptions().setSync(false);
    private final ReadOptions checked = new ReadOptions().setVerifyChecksums(true);
    private final RocksDB db;

    RocksIndex(Path here) throws RocksDBException {
        this.db = RocksDB.open(options, here.resolve("index").toString());
    }

    @Override
    public void put(IndexBatch batch) {
        try (WriteBatch write = new WriteBatch()) {
            for (Event event : batch.events()) {
                write.put(place(event.getKey()), event.toByteArray());
            }
            for (FilePosition position : batch.positions()) {
                write.put(
                        ("p" + position.key()).getBytes(java.nio.charset.StandardCharsets.UTF_8),
                        ByteBuffer.allocate(8).putLong(position.offset()).array());
            }
            db.write(unsynced, write);
        } catch (RocksDBException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] place(ByteString key) {
        return Arrays.copyOf(
                com.google.common.hash.Hashing.sha256().hashBytes(key.toByteArray()).asBytes(), 16);
    }

    @Override
    public List<@Nullable Event> get(List<ByteString> keys) {
        List<byte[]> places = new ArrayList<>(keys.size());
        for (ByteString key : keys) {
            places.add(place(key));
        }
        try {
            List<byte @Nullable []> read = db.multiGetAsList(checked, places);
            List<@Nullable Event> found = new ArrayList<>(keys.size());
            for (int i = 0; i < keys.size(); i++) {
                // Null is also what could not be read: it is asked for once more alone.
                byte[] record = read.get(i) == null ? db.get(checked, places.get(i)) : read.get(i);
                found.add(record == null ? null : Event.parseFrom(record));
            }
            return found;
        } catch (RocksDBException | InvalidProtocolBufferException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Compacts all, which is as favourable to its lookups as it can be. */
    @Override
    public void settle() throws RocksDBException {
        try (FlushOptions flush = new FlushOptions().setWaitForFlush(true)) {
            db.flush(flush);
        }
        db.compactRange();
    }

    @Override
    public void close() {
        db.close();
        unsynced.close();
        checked.close();
        options.close();
    }
}
