package photon.eventstore.index;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.rocksdb.NativeLibraryLoader;
import org.rocksdb.RocksDB;

/**
 * Loads RocksDB's native library. RocksDB unpacks it into a temporary file that it deletes in an
 * orderly exit of the Java VM only: every process that a signal ends would leave 17 MB behind. A
 * library that is loaded needs no name any more.
 */
final class RocksLibrary {
    private RocksLibrary() {}

    static synchronized void load() {
        try {
            Path directory = Files.createTempDirectory("photon-native-");
            try {
                NativeLibraryLoader.getInstance().loadLibrary(directory.toString());
            } finally {
                delete(directory);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot load RocksDB's native library", e);
        }
        RocksDB.loadLibrary();
    }

    /** Where a loaded library cannot be deleted, RocksDB's own way is left. */
    private static void delete(Path directory) {
        try (DirectoryStream<Path> unpacked = Files.newDirectoryStream(directory)) {
            for (Path file : unpacked) {
                Files.delete(file);
            }
            Files.delete(directory);
        } catch (IOException e) {
            directory.toFile().deleteOnExit();
        }
    }
}
