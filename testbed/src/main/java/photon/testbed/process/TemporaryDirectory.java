package photon.testbed.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** A directory that goes when its run does, unless it is to be kept. */
public final class TemporaryDirectory implements AutoCloseable {
    private final Path path;
    private boolean keep;

    private TemporaryDirectory(Path path, boolean keep) {
        this.path = path;
        this.keep = keep;
    }

    /** A new one in the system's directory for such, whose name begins so. */
    public static TemporaryDirectory make(String prefix, boolean keep) throws IOException {
        return make(Optional.empty(), prefix, keep);
    }

    /**
     * A new one whose name begins so.
     *
     * @param parent is made if it is not there; empty: the system's directory for such
     */
    public static TemporaryDirectory make(Optional<Path> parent, String prefix, boolean keep)
            throws IOException {
        if (parent.isEmpty()) {
            return new TemporaryDirectory(Files.createTempDirectory(prefix), keep);
        }
        Path in = parent.get().toAbsolutePath().normalize();
        Files.createDirectories(in);
        return new TemporaryDirectory(Files.createTempDirectory(in, prefix), keep);
    }

    public Path path() {
        return path;
    }

    /** It stays, after all: somebody has to look what is in it. */
    public void keep() {
        keep = true;
    }

    /** Who writes there must have ended. */
    @Override
    public void close() throws IOException {
        if (keep) {
            System.err.println("Kept: " + path);
            return;
        }
        try (Stream<Path> files = Files.walk(path)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (NoSuchFileException e) {
            System.err.println("photon: somebody else has deleted files in " + path);
        }
    }
}
