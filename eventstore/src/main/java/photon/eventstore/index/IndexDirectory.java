package photon.eventstore.index;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the index on disk stands, and what happens when it cannot be used: it is derived data, so a
 * corrupt one is moved aside and one of other settings is dropped, both loudly, and the logs are
 * read again from their start.
 */
public final class IndexDirectory {
    private static final Logger log = LoggerFactory.getLogger(IndexDirectory.class);
    private static final String INDEX = "index";
    private static final String ASIDE = "index.corrupt";
    private static final String DROPPED = "index.dropped";
    private static final String MARK = "index.is-corrupt";

    private final Path state;

    /**
     * @param stateDirectory local; must exist
     */
    public IndexDirectory(Path stateDirectory) {
        this.state = stateDirectory;
    }

    /**
     * @param settings what decides which records the index holds
     * @throws LogIndexException if it cannot be opened for another reason than its content: held by
     *     another process, no permission, disk full
     */
    public RocksLogIndex open(IndexKeys keys, String settings) {
        try {
            delete(state.resolve(DROPPED));
            if (Files.exists(state.resolve(MARK))) {
                moveAside("it was found corrupt while it was read");
            }
            return openUsable(keys, settings);
        } catch (IOException | RocksDBException e) {
            throw new LogIndexException(
                    "Cannot open the log index in " + state + ": " + e.getMessage(), e);
        }
    }

    private RocksLogIndex openUsable(IndexKeys keys, String settings)
            throws IOException, RocksDBException {
        RocksLogIndex index;
        try {
            index = openThere(keys, settings);
        } catch (IOException | RocksDBException e) {
            if (!saysCorrupt(e)) {
                throw e;
            }
            moveAside(String.valueOf(e.getMessage()));
            return openThere(keys, settings);
        }
        String before = index.settings();
        if (before.equals(settings)) {
            return index;
        }
        index.close();
        log.warn(
                "The log index in {} was made with other settings and is built anew from the logs."
                        + " Before: {}. Now: {}",
                state,
                before,
                settings);
        // Renamed first: a half-deleted index must not be opened as a whole one.
        Files.move(state.resolve(INDEX), state.resolve(DROPPED));
        delete(state.resolve(DROPPED));
        return openThere(keys, settings);
    }

    private RocksLogIndex openThere(IndexKeys keys, String settings)
            throws IOException, RocksDBException {
        RocksSettings rocks = new RocksSettings();
        RocksDB db;
        try {
            db = RocksDB.open(rocks.options(), state.resolve(INDEX).toString());
        } catch (RocksDBException e) {
            rocks.close();
            throw e;
        }
        try {
            return new RocksLogIndex(rocks, db, keys, settings, this::markCorrupt);
        } catch (IOException | RocksDBException e) {
            db.close();
            rocks.close();
            throw e;
        }
    }

    /** Whether the failure is about what is stored, and not about the disk, a lock or a right. */
    static boolean saysCorrupt(Exception failure) {
        if (failure instanceof RocksDBException rocks) {
            Status status = rocks.getStatus();
            String message = String.valueOf(rocks.getMessage());
            return (status != null && status.getCode() == Status.Code.Corruption)
                    || message.startsWith("Corruption")
                    // Of its own files: one that it refers to is gone.
                    || message.contains("No such file");
        }
        return failure instanceof com.google.protobuf.InvalidProtocolBufferException
                || failure instanceof java.io.EOFException;
    }

    /** The process is about to stop; its next start will rebuild. */
    private void markCorrupt() {
        try {
            Files.createFile(state.resolve(MARK));
        } catch (IOException e) {
            log.error("Cannot mark the log index in {} as corrupt", state, e);
        }
    }

    /** Keeps the newest corrupt index for whoever wants to know why. */
    private void moveAside(String why) throws IOException {
        log.error(
                "The log index in {} is corrupt and is moved to {}; it is built anew from the logs,"
                        + " which are read from their start. Reason: {}",
                state.resolve(INDEX),
                state.resolve(ASIDE),
                why);
        delete(state.resolve(ASIDE));
        if (Files.exists(state.resolve(INDEX))) {
            Files.move(state.resolve(INDEX), state.resolve(ASIDE));
        }
        Files.deleteIfExists(state.resolve(MARK));
    }

    private static void delete(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        List<Path> all;
        try (Stream<Path> walk = Files.walk(directory)) {
            all = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : all) {
            Files.delete(path);
        }
    }
}
