package photon.storage.zstd;

import com.github.luben.zstd.util.Native;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Loads zstd's native library. By itself it unpacks it into a temporary file that it deletes in an
 * orderly exit of the Java VM only: every process that a signal ends would leave it behind. A
 * library that is loaded needs no name any more.
 */
public final class ZstdLibrary {
    private ZstdLibrary() {}

    /** To be called before anything else of zstd is used. Safe to call again. */
    public static synchronized void load() {
        if (Native.isLoaded()) {
            return;
        }
        try {
            Path directory = Files.createTempDirectory("photon-native-");
            try {
                Native.load(directory.toFile());
            } finally {
                delete(directory);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot load zstd's native library", e);
        }
    }

    /** Where a loaded library cannot be deleted, zstd's own way is left. */
    private static void delete(Path directory) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(directory);
        } catch (IOException e) {
            directory.toFile().deleteOnExit();
        }
    }
}
