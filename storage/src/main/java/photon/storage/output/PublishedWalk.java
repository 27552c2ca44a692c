package photon.storage.output;

import java.io.IOException;
import java.time.LocalDate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import photon.core.id.Incarnation;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.FileInfo;

/**
 * Looks for files where published ones stand, one folder at a time: after months there are
 * millions. Names that begin with a dot or an underscore are no output. Not thread-safe.
 */
public final class PublishedWalk {
    private final FileStore files;
    private final String directory;
    private final String firstDay;
    private final Predicate<String> wanted;

    /** Relative to the directory, which is empty itself. */
    private final Deque<String> ahead = new ArrayDeque<>(List.of(""));

    private PublishedWalk(
            FileStore files, String directory, String firstDay, Predicate<String> wanted) {
        this.files = files;
        this.directory = directory;
        this.firstDay = firstDay;
        this.wanted = wanted;
    }

    /** Of all files. */
    static PublishedWalk all(FileStore files, String directory) {
        return new PublishedWalk(files, directory, "", path -> true);
    }

    /**
     * Of those that stand under a published name of one incarnation although no manifest of it
     * knows them. Where no file between its first and its last is missing, days that end long
     * before all of these are left out.
     *
     * @param known paths as manifests have them; not copied
     */
    static PublishedWalk unknown(
            FileStore files, String directory, Incarnation incarnation, Set<String> known) {
        return new PublishedWalk(
                files,
                directory,
                firstDay(known),
                path -> OutputNames.isPublishedBy(incarnation, path) && !known.contains(path));
    }

    /** The folder is that of the clock that published, which may have been set since. */
    private static String firstDay(Set<String> known) {
        if (!isWithoutGap(known)) {
            // Declared lost, or its manifest is gone: nobody knows when it was published.
            return "";
        }
        return known.stream()
                .map(path -> OutputNames.day(path).orElse(LocalDate.MIN))
                .min(LocalDate::compareTo)
                .filter(day -> day.isAfter(LocalDate.MIN))
                .map(day -> OutputNames.dayFolder(day.minusDays(1)))
                .orElse("");
    }

    private static boolean isWithoutGap(Set<String> known) {
        Set<Long> sequences = new HashSet<>();
        long last = 0;
        for (String path : known) {
            long sequence =
                    OutputNames.publication(path)
                            .map(file -> file.sequence())
                            .orElse(Long.MAX_VALUE);
            sequences.add(sequence);
            last = Math.max(last, sequence);
        }
        return !known.isEmpty() && sequences.size() == last && sequences.contains(1L);
    }

    /** False once all folders have been looked into. */
    public boolean hasNext() {
        return !ahead.isEmpty();
    }

    /**
     * Looks into one more folder.
     *
     * @return what is wanted of it: paths as manifests have them
     */
    public List<String> next() throws IOException {
        String folder = ahead.element();
        List<String> found = new ArrayList<>();
        List<String> below = new ArrayList<>();
        for (FileInfo entry : files.list(folder.isEmpty() ? directory : directory + "/" + folder)) {
            String name = OutputNames.last(entry.path());
            if (name.startsWith("_") || name.startsWith(".")) {
                continue;
            }
            String path = folder.isEmpty() ? name : folder + "/" + name;
            if (entry.directory()) {
                boolean early = OutputNames.isDayFolder(name) && name.compareTo(firstDay) < 0;
                if (!early) {
                    below.add(path);
                }
            } else if (wanted.test(path)) {
                found.add(path);
            }
        }
        ahead.remove();
        ahead.addAll(below);
        return found;
    }
}
