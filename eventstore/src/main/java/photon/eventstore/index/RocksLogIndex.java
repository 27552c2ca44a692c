package photon.eventstore.index;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;
import photon.proto.v1.Event;
import photon.storage.tail.FilePosition;

/**
 * The index on disk: a dense one, with an entry for every primary event and its record inline
 * (docs/decisions/0002-dense-index-holds-records.md). Opened by {@link IndexDirectory}.
 *
 * <p>A batch is one atomic write, which survives the death of the process. It is not synced: a
 * power cut may take the newest batches as a whole, with their positions, and they are read again.
 *
 * <p>Layout, all in one column family: {@code 1 place -> record}, {@code 0 'p' file key ->
 * position}, {@code 0 'c' -> counts}, {@code 0 's' -> settings}.
 */
public final class RocksLogIndex implements LogIndex {
    private static final byte META = 0;
    private static final byte RECORD = 1;
    private static final byte[] COUNTS = {META, 'c'};
    private static final byte[] POSITION = {META, 'p'};
    private static final byte[] SETTINGS = {META, 's'};

    private final RocksSettings rocks;
    private final RocksDB db;
    private final IndexKeys keys;
    private final Runnable onCorruption;
    private final WriteOptions unsynced = new WriteOptions().setSync(false);
    private final ReadOptions checked = new ReadOptions().setVerifyChecksums(true);
    private final IndexState opened;
    private long primaryEvents;
    private long badRecords;
    private boolean closed;

    /**
     * @param settings what decides which records the index holds; a new index takes it, for an old
     *     one see {@link #settings}
     * @param onCorruption called when stored bytes turn out wrong, before the exception
     */
    RocksLogIndex(
            RocksSettings rocks, RocksDB db, IndexKeys keys, String settings, Runnable onCorruption)
            throws RocksDBException, IOException {
        this.rocks = rocks;
        this.db = db;
        this.keys = keys;
        this.onCorruption = onCorruption;
        if (db.get(checked, SETTINGS) == null) {
            db.put(unsynced, SETTINGS, settings.getBytes(UTF_8));
        }
        this.opened = readState();
        this.primaryEvents = opened.primaryEvents();
        this.badRecords = opened.badRecords();
    }

    /** The settings that the index was begun with. */
    String settings() throws RocksDBException {
        byte[] settings = db.get(checked, SETTINGS);
        return settings == null ? "" : new String(settings, UTF_8);
    }

    private IndexState readState() throws RocksDBException, IOException {
        byte[] counts = db.get(checked, COUNTS);
        if (counts == null) {
            return IndexState.EMPTY;
        }
        List<FilePosition> positions = new ArrayList<>();
        try (RocksIterator at = db.newIterator(checked)) {
            for (at.seek(POSITION); at.isValid() && isPosition(at.key()); at.next()) {
                positions.add(PositionCodec.decode(at.value()));
            }
            at.status();
        }
        ByteBuffer numbers = ByteBuffer.wrap(counts);
        return new IndexState(positions, numbers.getLong(), numbers.getLong());
    }

    private static boolean isPosition(byte[] key) {
        return key.length > POSITION.length && key[0] == POSITION[0] && key[1] == POSITION[1];
    }

    @Override
    public IndexState opened() {
        return opened;
    }

    @Override
    public void put(IndexBatch batch) {
        try (WriteBatch write = new WriteBatch()) {
            for (Event event : batch.events()) {
                write.put(place(event.getKey()), event.toByteArray());
            }
            for (FilePosition position : batch.positions()) {
                byte[] fileKey = position.key().getBytes(UTF_8);
                write.put(prefixed(POSITION, fileKey), PositionCodec.encode(position));
            }
            long events = primaryEvents + batch.events().size();
            long bad = badRecords + batch.badRecords();
            write.put(COUNTS, ByteBuffer.allocate(16).putLong(events).putLong(bad).array());
            db.write(unsynced, write);
            primaryEvents = events;
            badRecords = bad;
        } catch (RocksDBException e) {
            throw failure("Cannot write", e);
        }
    }

    @Override
    public void forget(List<String> fileKeys) {
        try (WriteBatch write = new WriteBatch()) {
            for (String key : fileKeys) {
                write.delete(prefixed(POSITION, key.getBytes(UTF_8)));
            }
            db.write(unsynced, write);
        } catch (RocksDBException e) {
            throw failure("Cannot write", e);
        }
    }

    @Override
    public List<@Nullable Event> get(List<ByteString> wanted) {
        List<byte[]> places = new ArrayList<>(wanted.size());
        for (ByteString key : wanted) {
            places.add(place(key));
        }
        try {
            List<byte @Nullable []> records = read(places);
            List<@Nullable Event> found = new ArrayList<>(wanted.size());
            for (int i = 0; i < wanted.size(); i++) {
                byte[] record = records.get(i);
                Event event = record == null ? null : Event.parseFrom(record);
                // The place is a hash: only the whole key decides (docs/protocol.md section 2).
                found.add(event != null && event.getKey().equals(wanted.get(i)) ? event : null);
            }
            return found;
        } catch (RocksDBException | IOException e) {
            throw failure("Cannot read", e);
        }
    }

    /**
     * Hits come together. What has not come is asked for once more alone, since RocksDB's Java
     * binding gives null for "not there" and for "could not be read" alike; the bloom filter makes
     * that cheap. It also refuses to read nothing.
     */
    private List<byte @Nullable []> read(List<byte[]> places) throws RocksDBException {
        if (places.isEmpty()) {
            return List.of();
        }
        List<byte @Nullable []> read = db.multiGetAsList(checked, places);
        for (int i = 0; i < places.size(); i++) {
            if (read.get(i) == null) {
                read.set(i, db.get(checked, places.get(i)));
            }
        }
        return read;
    }

    private byte[] place(ByteString key) {
        return prefixed(new byte[] {RECORD}, keys.place(key));
    }

    private static byte[] prefixed(byte[] prefix, byte[] rest) {
        byte[] whole = Arrays.copyOf(prefix, prefix.length + rest.length);
        System.arraycopy(rest, 0, whole, prefix.length, rest.length);
        return whole;
    }

    private LogIndexException failure(String what, Exception cause) {
        if (IndexDirectory.saysCorrupt(cause)) {
            onCorruption.run();
        }
        return new LogIndexException(what + " the log index: " + cause.getMessage(), cause);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            db.close();
            unsynced.close();
            checked.close();
            rocks.close();
        }
    }
}
