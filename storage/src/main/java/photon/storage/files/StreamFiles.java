package photon.storage.files;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import org.apache.hadoop.fs.GlobFilter;
import org.apache.hadoop.fs.Path;
import photon.core.config.StreamConfig;
import photon.core.error.ConfigException;
import photon.core.error.IoText;
import photon.storage.files.FileStore.FileInfo;
import photon.storage.files.FileStore.Watch;

/**
 * The files that are a stream's logs: those that its {@code paths} match, without those that {@code
 * input.exclude} leaves out. Not thread-safe.
 */
public final class StreamFiles {
    private final List<Glob> globs = new ArrayList<>();

    private final List<GlobFilter> excluded = new ArrayList<>();

    /**
     * @param directoryLength of {@link Globs#fixedDirectory}: names behind it may be left out
     */
    private record Glob(Watch watch, int directoryLength) {}

    /**
     * @throws ConfigException if a pattern of {@code input.exclude} is none
     */
    public StreamFiles(FileStore files, StreamConfig stream) {
        this(files, stream.paths(), stream.input().exclude());
    }

    /** As with a stream that has these. */
    public StreamFiles(FileStore files, List<String> paths, List<String> exclude) {
        for (String glob : paths) {
            globs.add(
                    new Glob(
                            files.watch(glob, this::isExcludedName),
                            Globs.fixedDirectory(glob).length()));
        }
        for (String pattern : exclude) {
            try {
                excluded.add(new GlobFilter(pattern));
            } catch (IOException e) {
                throw new ConfigException(
                        "input.exclude is '%s'; expected a pattern of names such as *.tmp: %s"
                                .formatted(pattern, IoText.of(e)));
            }
        }
    }

    /** What is there now, in order of path; two globs may match the same. */
    public static Collection<FileInfo> now(FileStore files, StreamConfig stream)
            throws IOException {
        return new StreamFiles(files, stream).look(0);
    }

    /** As {@link Watch} says, each path once, in order. */
    public Collection<FileInfo> look(long nanoTime) throws IOException {
        TreeMap<String, FileInfo> found = new TreeMap<>();
        for (Glob glob : globs) {
            for (FileInfo info : glob.watch().look(nanoTime)) {
                if (!isExcluded(info.path(), glob.directoryLength())) {
                    found.putIfAbsent(info.path(), info);
                }
            }
        }
        return found.values();
    }

    private boolean isExcluded(String path, int from) {
        if (excluded.isEmpty()) {
            return false;
        }
        for (String name : path.substring(Math.min(from, path.length())).split("/")) {
            if (!name.isEmpty() && isExcludedName(name)) {
                return true;
            }
        }
        return false;
    }

    private boolean isExcludedName(String name) {
        for (GlobFilter pattern : excluded) {
            if (pattern.accept(new Path(null, null, "/" + name))) {
                return true;
            }
        }
        return false;
    }
}
