package photon.bench;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.EnvOptions;
import org.rocksdb.IngestExternalFileOptions;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.SstFileWriter;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;
import photon.core.id.CommitToken;
import photon.core.id.EventId;

/**
 * RocksDB as favourably as we know how: no log of its own, recent ids in memory tables, old ones in
 * files that were written in order and ingested; ten bits of Bloom filter, a block cache that holds
 * them all.
 */
final class RocksStore implements TableBench.Store {
    static {
        RocksDB.loadLibrary();
    }

    private final Path directory;
    private final EventId middle;
    private final Options options;
    private final RocksDB recent;
    private final RocksDB old;
    private final WriteOptions noLog = new WriteOptions().setDisableWAL(true);
    private long count;

    RocksStore(Path directory, EventId middle) throws RocksDBException {
        this.directory = directory;
        this.middle = middle;
        this.options =
                new Options()
                        .setCreateIfMissing(true)
                        .setWriteBufferSize(1L << 30)
                        .setTableFormatConfig(
                                new BlockBasedTableConfig()
                                        .setFilterPolicy(new BloomFilter(10))
                                        .setBlockCache(new LRUCache(1L << 30)));
        directory.toFile().mkdirs();
        this.recent = RocksDB.open(options, directory.resolve("recent").toString());
        this.old = RocksDB.open(options, directory.resolve("old").toString());
    }

    private static List<byte[]> keys(ByteBuffer packedIds) {
        List<byte[]> keys = new ArrayList<>();
        while (packedIds.hasRemaining()) {
            byte[] key = new byte[EventId.BYTES];
            packedIds.get(key);
            keys.add(key);
        }
        return keys;
    }

    @Override
    public int commit(ByteBuffer packedIds, ByteBuffer packedTokens) {
        List<byte[]> keys = keys(packedIds);
        int free = 0;
        try (WriteBatch batch = new WriteBatch()) {
            List<byte[]> holders = recent.multiGetAsList(keys);
            for (int i = 0; i < keys.size(); i++) {
                byte[] token = new byte[CommitToken.BYTES];
                packedTokens.get(token);
                if (holders.get(i) == null) {
                    batch.put(keys.get(i), token);
                    free++;
                }
            }
            recent.write(noLog, batch);
        } catch (RocksDBException e) {
            throw new IllegalStateException(e);
        }
        count += free;
        return free;
    }

    @Override
    public void seal() throws RocksDBException {
        String file = directory.resolve("sealed.sst").toString();
        byte[] end = middle.toBytes();
        try (EnvOptions env = new EnvOptions();
                SstFileWriter writer = new SstFileWriter(env, options);
                RocksIterator rows = recent.newIterator();
                IngestExternalFileOptions move =
                        new IngestExternalFileOptions().setMoveFiles(true)) {
            writer.open(file);
            for (rows.seekToFirst(); rows.isValid(); rows.next()) {
                if (java.util.Arrays.compareUnsigned(rows.key(), end) >= 0) {
                    break;
                }
                writer.put(rows.key(), rows.value());
            }
            writer.finish();
            old.ingestExternalFile(List.of(file), move);
        }
    }

    @Override
    public int lookup(ByteBuffer packedIds) {
        boolean isOld = packedIds.getLong(packedIds.position()) < middle.micros();
        try {
            int held = 0;
            for (byte[] holder : (isOld ? old : recent).multiGetAsList(keys(packedIds))) {
                held += holder == null ? 0 : 1;
            }
            return held;
        } catch (RocksDBException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public String size() {
        try {
            return String.format(
                    Locale.ROOT,
                    "%.1f bytes an id in memory, %.1f in files",
                    recent.getLongProperty("rocksdb.cur-size-all-mem-tables") / (double) count,
                    old.getLongProperty("rocksdb.total-sst-files-size") / (count / 2.0));
        } catch (RocksDBException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        recent.close();
        old.close();
        options.close();
        noLog.close();
    }
}
