package photon.testbed.history;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** One replica's files of one Raft group, as they lie on disk. */
public final class LogFiles {
    private static final Pattern SEGMENT = Pattern.compile("log_(?:inprogress_)?(\\d+)(?:-\\d+)?");

    private static final Pattern MARK = Pattern.compile(" up to (\\d+) ");

    private LogFiles() {}

    private static Path group(Path data, UUID group) {
        return data.resolve("raft").resolve(group.toString());
    }

    /** The first index that the log still holds; -1 if there is no log. */
    public static long start(Path data, UUID group) throws IOException {
        return segments(data, group).stream().mapToLong(LogFiles::firstIndex).min().orElse(-1);
    }

    /** The index of the first entry of a log file. */
    public static long firstIndex(Path segment) {
        Matcher name = SEGMENT.matcher(segment.getFileName().toString());
        return name.matches() ? Long.parseLong(name.group(1)) : Long.MAX_VALUE;
    }

    /** The log's files, in order; the one that is written last. */
    public static List<Path> segments(Path data, UUID group) throws IOException {
        List<Path> segments = new ArrayList<>();
        try (DirectoryStream<Path> files =
                Files.newDirectoryStream(group(data, group).resolve("current"), "log_*")) {
            for (Path file : files) {
                if (SEGMENT.matcher(file.getFileName().toString()).matches()) {
                    segments.add(file);
                }
            }
        } catch (NoSuchFileException e) {
            return segments;
        }
        segments.sort(Comparator.comparingLong(LogFiles::firstIndex));
        return segments;
    }

    /** The index that the newest snapshot holds everything up to; -1 before the first. */
    public static long snapshotIndex(Path data, UUID group) throws IOException {
        return snapshots(data, group).stream().mapToLong(LogFiles::indexOf).max().orElse(-1);
    }

    private static long indexOf(Path snapshot) {
        String name = snapshot.getFileName().toString();
        return Long.parseLong(name.substring(name.lastIndexOf('-') + 1));
    }

    private static List<Path> snapshots(Path data, UUID group) throws IOException {
        List<Path> snapshots = new ArrayList<>();
        try (DirectoryStream<Path> all =
                Files.newDirectoryStream(group(data, group).resolve("sm"), "snapshot-*")) {
            all.forEach(snapshots::add);
        } catch (NoSuchFileException e) {
            return List.of();
        }
        return snapshots;
    }

    /** The files of the newest snapshot that is whole; none before the first. */
    public static List<Path> newestSnapshot(Path data, UUID group) throws IOException {
        Path newest =
                snapshots(data, group).stream()
                        .max(Comparator.comparingLong(LogFiles::indexOf))
                        .orElse(null);
        if (newest == null) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(newest)) {
            return files.sorted().toList();
        } catch (NoSuchFileException | UncheckedIOException e) {
            // A newer one has come meanwhile, and this one is removed.
            return List.of();
        }
    }

    /** The index up to which the replica says that it has on disk what is committed; -1: none. */
    public static long mark(Path data, UUID group) throws IOException {
        Path mark = group(data, group).resolve("mark");
        if (!Files.exists(mark)) {
            return -1;
        }
        Matcher text = MARK.matcher(Files.readString(mark));
        return text.find() ? Long.parseLong(text.group(1)) : -1;
    }
}
