package photon.idregistry.raft;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.ratis.server.storage.RaftStorage;

/** The files of Ratis' log of one group. */
final class LogFiles {
    private static final Pattern SEGMENT = Pattern.compile("log_(?:inprogress_)?(\\d+).*");

    private LogFiles() {}

    private static Path directory(RaftStorage raft) {
        return raft.getStorageDir().getRoot().toPath().resolve("current");
    }

    /** On disk, what is preallocated included. */
    static long bytes(RaftStorage raft) throws IOException {
        long bytes = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory(raft), "log_*")) {
            for (Path file : files) {
                bytes += file.toFile().length();
            }
        }
        return bytes;
    }

    /**
     * Refuses a log that begins behind what the state holds: the entries between are gone, and
     * Ratis would wait for them for ever.
     *
     * @param applied what the state holds; -1 for nothing
     */
    static void checkGoesOn(RaftStorage raft, String name, long applied) throws IOException {
        long start = Long.MAX_VALUE;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory(raft), "log_*")) {
            for (Path file : files) {
                Matcher segment = SEGMENT.matcher(String.valueOf(file.getFileName()));
                if (segment.matches()) {
                    start = Math.min(start, Long.parseLong(segment.group(1)));
                }
            }
        }
        if (start != Long.MAX_VALUE && start > applied + 1) {
            throw new IOException(
                    "Expected the log of "
                            + name
                            + " to go on at index "
                            + (applied + 1)
                            + ", but it begins at "
                            + start
                            + ": a snapshot is missing");
        }
    }
}
