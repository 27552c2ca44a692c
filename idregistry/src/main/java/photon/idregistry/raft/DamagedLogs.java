package photon.idregistry.raft;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.raftlog.segmented.LogSegment;
import org.apache.ratis.server.raftlog.segmented.LogSegmentPath;
import org.apache.ratis.util.SizeInBytes;

/**
 * Finds the files of Raft logs that cannot be read: Ratis refuses to start on them, without a word
 * of which they are. Reads every log from end to end, so only for a start that has failed. Changes
 * nothing.
 */
final class DamagedLogs {
    private static final Pattern CLOSED = Pattern.compile("log_(\\d+)-(\\d+)");

    private DamagedLogs() {}

    /** What is to be said behind another message; empty if there is nothing. */
    static String text(Path storage) {
        List<String> found = in(storage);
        return found.isEmpty() ? "" : ". Damaged: " + String.join("; ", found);
    }

    /**
     * @param storage with a directory a group
     * @return for each file that is damaged its path and what is wrong with it
     */
    static List<String> in(Path storage) {
        List<String> found = new ArrayList<>();
        try (DirectoryStream<Path> groups = Files.newDirectoryStream(storage)) {
            for (Path group : groups) {
                Path log = group.resolve("current");
                if (Files.isDirectory(log)) {
                    inLog(log, found);
                }
            }
        } catch (IOException e) {
            found.add(storage + ": " + e);
        }
        return found;
    }

    private static void inLog(Path log, List<String> found) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(log, "log_*")) {
            for (Path file : files) {
                // Ratis' look at an empty one would delete it.
                LogSegmentPath segment =
                        Files.size(file) == 0 ? null : LogSegmentPath.matchLogSegment(file);
                if (segment != null) {
                    read(segment, found);
                }
            }
        }
    }

    private static void read(LogSegmentPath segment, List<String> found) {
        try {
            int entries =
                    LogSegment.readSegmentFile(
                            segment.getPath().toFile(),
                            segment.getStartEnd(),
                            SizeInBytes.valueOf(RaftSettings.ENTRY_BYTES_MAX),
                            RaftServerConfigKeys.Log.CorruptionPolicy.EXCEPTION,
                            null,
                            entry -> {});
            Matcher closed = CLOSED.matcher(String.valueOf(segment.getPath().getFileName()));
            if (closed.matches()) {
                long start = Long.parseLong(closed.group(1));
                long end = Long.parseLong(closed.group(2));
                if (start + entries - 1 != end) {
                    found.add(
                            "%s: expected entries %s to %s, but the last is %s"
                                    .formatted(segment.getPath(), start, end, start + entries - 1));
                }
            }
        } catch (IOException | RuntimeException e) {
            found.add(segment.getPath() + ": " + e.getMessage());
        }
    }
}
