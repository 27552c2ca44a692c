package photon.storage.output;

import java.io.IOException;
import java.time.LocalDate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import photon.core.id.Incarnation;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.FileInfo;

/**
 * Looks for files that stand under a published name of one incarnation and that no manifest of it
 * knows, one folder at a time: after months there are millions of files. Where its very first file
 * is known, days that end long before that are left out. Not thread-safe.
 */
public final class PublishedWalk {
    private final FileStore files;
    private final String directory;
    private final Incarnation incarnation;
    private final Set<String> known;
    private final String firstDay;

    /** Relative to the directory, which is empty itself. */
    private final Deque<String> ahead = new ArrayDeque<>(List.of(""));

    /**
     * @param known paths as manifests have them
     */
    PublishedWalk(
            FileStore files, String directory, Incarnation incarnation, Collection<String> known) {
        this.files = files;
        this.directory = directory;
        this.incarnation = incarnation;
        this.known = Set.copyOf(known);
        // Of one that is declared lost, or whose manifest is gone, nobody knows when it was
        // published.
        boolean fromTheFirst = known.stream().anyMatch(PublishedWalk::isFirst);
        // The folder is that of the clock that published, which may have been set since.
        this.firstDay =
                known.stream()
                        .filter(path -> fromTheFirst)
                        .map(path -> OutputNames.day(path).orElse(LocalDate.MIN))
                        .min(LocalDate::compareTo)
                        .filter(day -> day.isAfter(LocalDate.MIN))
                        .map(day -> OutputNames.dayFolder(day.minusDays(1)))
                        .orElse("");
    }

    private static boolean isFirst(String path) {
        return OutputNames.publication(path).filter(file -> file.sequence() == 1).isPresent();
    }

    /** False once all folders have been looked into. */
    public boolean hasNext() {
        return !ahead.isEmpty();
    }

    /**
     * Looks into one more folder.
     *
     * @return what is not known in it: paths as manifests would have them
     */
    public List<String> next() throws IOException {
        String folder = ahead.element();
        List<String> unknown = new ArrayList<>();
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
            } else if (OutputNames.isPublishedBy(incarnation, path) && !known.contains(path)) {
                unknown.add(path);
            }
        }
        ahead.remove();
        ahead.addAll(below);
        return unknown;
    }
}
