package photon.idregistry.raft;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.raftlog.segmented.LogSegment;
import org.apache.ratis.server.raftlog.segmented.LogSegmentPath;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.thirdparty.com.google.protobuf.CodedOutputStream;
import org.apache.ratis.util.SizeInBytes;

/**
 * Refuses a log that ends before its {@link LogMark}. The file that was written last may end
 * anywhere: Ratis takes it for one whose last write was torn, and goes on without what is missing.
 * If that was committed, and the only other replica that has it is away, a majority that knows
 * nothing of it can form.
 *
 * <p>A rightful log is never refused: what is committed is not replaced by any leader; what is
 * purged is in a snapshot; and an installed snapshot ends at or behind all that was committed here
 * before.
 *
 * <p>Refuses, too, a log whose last file was closed and ends in the midst of an entry, which its
 * mark may not have come to: a file is closed when all of it is on disk, and Ratis itself cuts only
 * between entries.
 */
final class LogEnd {
    /** The open one, or a closed one with its end. An empty open one counts for nothing. */
    private static final Pattern SEGMENT =
            Pattern.compile("log_(?:inprogress_)?(\\d+)(?:-(\\d+))?");

    /** "RaftLog1". */
    private static final int HEADER_BYTES = 8;

    private LogEnd() {}

    /**
     * Before Ratis reads the log, which cuts off what it does not understand.
     *
     * @param name of the replica, for people
     * @param snapshot the index up to which a snapshot holds everything; -1 for none
     * @throws IOException naming the files, if the log is too short or cannot be read
     */
    static void check(RaftStorage raft, String name, long snapshot) throws IOException {
        Path group = raft.getStorageDir().getRoot().toPath();
        Path log = group.resolve("current");
        long marked = LogMark.read(group);
        long end = snapshot;
        Path last = log;
        boolean torn = false;
        Path lastClosed = null;
        long closedStart = -1;
        long closedEnd = -1;
        boolean behind = false;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(log, "log_*")) {
            for (Path file : files) {
                Matcher segment = SEGMENT.matcher(String.valueOf(file.getFileName()));
                if (!segment.matches() || Files.size(file) == 0) {
                    continue;
                }
                long start = Long.parseLong(segment.group(1));
                if (segment.group(2) == null) {
                    force(file);
                    last = file;
                    int count = read(file).entries();
                    // Ratis deletes one without entries: its name says nothing either.
                    end = count == 0 ? end : Math.max(end, start - 1 + count);
                    behind |= count > 0;
                } else if (Long.parseLong(segment.group(2)) > closedEnd) {
                    lastClosed = file;
                    closedStart = start;
                    closedEnd = Long.parseLong(segment.group(2));
                }
            }
        }
        // Without entries behind it there is no gap that Ratis would see.
        if (lastClosed != null && (!behind || end < marked)) {
            Content content = read(lastClosed);
            // Ratis takes it as it is, whatever its name says: it may have cut entries off itself,
            // and not have come to the name.
            long held = closedStart - 1 + content.entries();
            torn = content.torn() && held < closedEnd;
            end = Math.max(end, held);
            last = held < closedEnd || last == log ? lastClosed : last;
        }
        if (end < marked) {
            throw new IOException(
                    "Expected the log of %s to hold entry %s, which was committed and on disk here,"
                                    .formatted(name, marked)
                            + " but it ends at %s: %s was cut short, or files behind it are missing"
                                    .formatted(end, last));
        }
        if (torn) {
            throw new IOException(
                    "Expected the log of %s to consist of whole entries, but %s was cut short: it was closed, and ends in the midst of one"
                            .formatted(name, lastClosed));
        }
    }

    /**
     * Ratis takes what it reads at a start for what is on disk, but the life before may have ended
     * between a write and its force.
     */
    private static void force(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /**
     * @param entries that are whole
     * @param torn true if another begins behind them
     */
    private record Content(int entries, boolean torn) {}

    private static Content read(Path file) throws IOException {
        LogSegmentPath segment = Objects.requireNonNull(LogSegmentPath.matchLogSegment(file));
        long[] end = {HEADER_BYTES};
        int entries =
                LogSegment.readSegmentFile(
                        file.toFile(),
                        segment.getStartEnd(),
                        SizeInBytes.valueOf(RaftSettings.ENTRY_BYTES_MAX),
                        RaftServerConfigKeys.Log.CorruptionPolicy.EXCEPTION,
                        null,
                        entry -> end[0] += bytesOf(entry.getSerializedSize()));
        return new Content(entries, byteAt(file, end[0]) > 0);
    }

    /** As Ratis writes it: the length, the entry, a checksum. */
    private static long bytesOf(int entry) {
        return CodedOutputStream.computeUInt32SizeNoTag(entry) + (long) entry + Integer.BYTES;
    }

    /** Not above 0 at the end of the file, or where it is filled up with zeros. */
    private static int byteAt(Path file, long offset) throws IOException {
        ByteBuffer one = ByteBuffer.allocate(1);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return channel.read(one, offset) < 1 ? -1 : one.get(0) & 0xff;
        }
    }
}
