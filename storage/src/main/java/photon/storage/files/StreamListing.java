package photon.storage.files;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import photon.core.config.StreamConfig;
import photon.storage.files.FileStore.FileInfo;

/**
 * Lists a stream's logs for several readers in one loop: who asks soon after another one hears what
 * that one heard. Not thread-safe.
 */
public final class StreamListing {
    private final FileStore files;
    private final List<String> globs;
    private final StreamFiles streamFiles;
    private final long keepNanos;
    private @Nullable Look last;
    private long lastNanos;

    /**
     * What is there.
     *
     * @param found in order of path; two globs may match the same file
     * @param complete the directories of all globs are there
     */
    public record Look(Collection<FileInfo> found, boolean complete) {}

    /**
     * @param readers how many ask
     * @throws photon.core.error.ConfigException if a pattern of {@code input.exclude} is none
     */
    public StreamListing(FileStore files, StreamConfig stream, int readers) {
        this.files = files;
        this.globs = stream.paths();
        this.streamFiles = new StreamFiles(files, stream);
        // One who asks as often as the stream says hears something new each time.
        this.keepNanos = readers == 1 ? 0 : stream.input().listEvery().toNanos() / 2;
    }

    /**
     * @param nanoTime monotonic
     * @throws IOException if it cannot be listed: the next who asks tries again
     */
    public Look look(long nanoTime) throws IOException {
        Look known = last;
        if (known != null && keepNanos > 0 && nanoTime - lastNanos < keepNanos) {
            return known;
        }
        last = null;
        Collection<FileInfo> found = streamFiles.look(nanoTime);
        // Asked behind the listing, in which a directory may go away.
        Look made = new Look(found, Globs.missingDirectories(files, globs).isEmpty());
        last = made;
        lastNanos = nanoTime;
        return made;
    }
}
