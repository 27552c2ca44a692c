package photon.idregistry.raft;

import java.io.IOException;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.raftlog.segmented.LogSegment;
import org.apache.ratis.server.raftlog.segmented.LogSegmentPath;
import org.apache.ratis.util.SizeInBytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Mends a replica that has lost its term and its vote, before Ratis refuses to start on it. Ratis
 * keeps both in a file that it replaces by an empty one if the disk is full in that moment (3.3.0:
 * closing the stream that could not be written still puts it in place), and disks that are full at
 * an election are full on most servers at once.
 *
 * <p>What must not happen is a second vote in a term. So the replica goes on in a term above all in
 * which it can have voted: Raft lets any server raise its term at any time. That is {@link #JUMP}
 * above the last one that its log, its snapshots or its last mending knows, since every leader
 * begins its term with an entry; only elections that nobody won leave none.
 */
final class LostVote {
    private static final Logger LOG = LoggerFactory.getLogger(LostVote.class);

    /** More elections than fail in a row: at one each 100 ms they would take three years. */
    static final long JUMP = 1_000_000_000;

    private static final String META = "raft-meta";
    private static final String FLOOR = "term-floor";
    private static final Pattern FLOOR_FORM = Pattern.compile("photon term floor 1: (\\d+)\n");
    private static final Pattern SNAPSHOT = Pattern.compile("snapshot[-.](\\d+)[-_]\\d+.*");

    private LostVote() {}

    /**
     * Looks at every group of a server that is not running.
     *
     * @param storage with a directory a group
     * @throws IOException naming the file, if one cannot be read or written
     */
    static void mendAll(Path storage) throws IOException {
        try (DirectoryStream<Path> groups = Files.newDirectoryStream(storage)) {
            for (Path group : groups) {
                if (Files.isDirectory(group.resolve("current"))) {
                    mend(group);
                }
            }
        }
    }

    private static void mend(Path group) throws IOException {
        Path meta = group.resolve("current").resolve(META);
        if (hasTerm(meta)) {
            return;
        }
        long known = Math.max(Math.max(lastOfLog(group), lastOfSnapshots(group)), floor(group));
        if (!Files.exists(meta) && known < 0) {
            // Not made whole: it has never taken part, and Ratis makes it anew.
            return;
        }
        long term = Math.max(0, known) + JUMP;
        // First, so that a second mending is above what is done after this one.
        put(group.resolve(FLOOR), "photon term floor 1: " + term + "\n");
        put(meta, "term=" + term + "\nvotedFor=\n");
        LOG.warn(
                "{} held no term and no vote, as Ratis leaves it if the disk is full: goes on in"
                        + " term {}, above all in which it can have voted",
                meta,
                term);
    }

    private static boolean hasTerm(Path meta) throws IOException {
        if (!Files.exists(meta)) {
            return false;
        }
        Properties properties = new Properties();
        try (Reader text = Files.newBufferedReader(meta, StandardCharsets.UTF_8)) {
            properties.load(text);
            return properties.containsKey("votedFor")
                    && Long.parseLong(properties.getProperty("term", "")) >= 0;
        } catch (CharacterCodingException | IllegalArgumentException e) {
            return false;
        }
    }

    /** -1 for none. */
    private static long lastOfLog(Path group) throws IOException {
        long[] last = {-1};
        try (DirectoryStream<Path> files =
                Files.newDirectoryStream(group.resolve("current"), "log_*")) {
            for (Path file : files) {
                LogSegmentPath segment =
                        Files.size(file) == 0 ? null : LogSegmentPath.matchLogSegment(file);
                if (segment != null) {
                    LogSegment.readSegmentFile(
                            file.toFile(),
                            segment.getStartEnd(),
                            SizeInBytes.valueOf(RaftSettings.ENTRY_BYTES_MAX),
                            RaftServerConfigKeys.Log.CorruptionPolicy.WARN_AND_RETURN,
                            null,
                            entry -> last[0] = Math.max(last[0], entry.getTerm()));
                }
            }
        }
        return last[0];
    }

    /** By their names; -1 for none. */
    private static long lastOfSnapshots(Path group) throws IOException {
        long last = -1;
        try (DirectoryStream<Path> directories = Files.newDirectoryStream(group, "sm*")) {
            for (Path directory : directories) {
                try (DirectoryStream<Path> snapshots = Files.newDirectoryStream(directory)) {
                    for (Path snapshot : snapshots) {
                        Matcher name = SNAPSHOT.matcher(String.valueOf(snapshot.getFileName()));
                        if (name.matches()) {
                            last = Math.max(last, Long.parseLong(name.group(1)));
                        }
                    }
                }
            }
        }
        return last;
    }

    /** -1 if it was never mended. */
    private static long floor(Path group) throws IOException {
        Path file = group.resolve(FLOOR);
        if (!Files.exists(file)) {
            return -1;
        }
        String text = Files.readString(file, StandardCharsets.UTF_8);
        Matcher form = FLOOR_FORM.matcher(text);
        if (!form.matches()) {
            throw new IOException(
                    "Expected \"photon term floor 1: TERM\" in " + file + ", but got: " + text);
        }
        return Long.parseLong(form.group(1));
    }

    /** All of it or nothing, also if the disk is full. */
    private static void put(Path file, String text) throws IOException {
        Path aside = file.resolveSibling(file.getFileName() + ".new");
        try (FileChannel out =
                FileChannel.open(
                        aside,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            out.force(true);
        }
        Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
        try (FileChannel directory =
                FileChannel.open(
                        Objects.requireNonNull(file.getParent()), StandardOpenOption.READ)) {
            directory.force(true);
        }
    }
}
