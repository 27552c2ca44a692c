package photon.cli.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A temporary directory that goes when the demo does, unless it is to be kept. */
final class DemoDirectory implements AutoCloseable {
    private final Path path;
    private final boolean keep;

    private DemoDirectory(Path path, boolean keep) {
        this.path = path;
        this.keep = keep;
    }

    static DemoDirectory make(boolean keep) throws IOException {
        return new DemoDirectory(Files.createTempDirectory("photon-demo-"), keep);
    }

    Path path() {
        return path;
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
