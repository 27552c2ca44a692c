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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
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
 * Mends a replica that has lost its term and its vote, or its term alone, before Ratis starts on it
 * (3.3.0).
 *
 * <p><b>Both.</b> Ratis keeps them in a file that it replaces by an empty one if the disk is full
 * in that moment (closing the stream that could not be written still puts it in place), and disks
 * that are full at an election are full on most servers at once. What must not happen is a second
 * vote in a term. So the replica goes on in a term above all in which it can have voted: Raft lets
 * any server raise its term at any time. That is {@link #JUMP} above the last one that its log, its
 * snapshots or its last mending knows, since every leader begins its term with an entry; only
 * elections that nobody won leave none.
 *
 * <p><b>The term alone.</b> Ratis raises it in memory and then writes it. If that fails, the
 * leader's message does too, but not the next one, which finds the term that it brings: nothing is
 * written any more, and entries of that term are confirmed (RaftServerImpl,
 * changeToFollowerAndPersistMetadata). With the older term such a replica would hear the older
 * leader again, who cuts off what was confirmed. So it goes on in the term of its last entry.
 *
 * <p>In that very term and not above it, which would vote its leader out. It votes for nobody
 * there, as if it had voted: Ratis gives none in a term whose vote is written down as empty. Above
 * it, it has not voted: a vote, a candidate's own too, is given only behind a write that succeeded,
 * and what was written last is this older term.
 */
final class VoteRecovery {
    private static final Logger LOG = LoggerFactory.getLogger(VoteRecovery.class);

    /** More elections than fail in a row: at one each 100 ms they would take three years. */
    static final long JUMP = 1_000_000_000;

    private static final String META = "raft-meta";
    private static final String FLOOR = "term-floor";
    private static final Pattern FLOOR_FORM = Pattern.compile("photon term floor 1: (\\d+)\n");
    private static final Pattern SNAPSHOT = Pattern.compile("snapshot[-.](\\d+)[-_]\\d+.*");

    private VoteRecovery() {}

    /**
     * Looks at every group of a server that is not running.
     *
     * @param storage with a directory a group
     * @throws IOException naming the file, if one cannot be read or written
     */
    static void recoverAll(Path storage) throws IOException {
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
        long written = term(meta);
        long last = Math.max(lastOfLog(group), lastOfSnapshots(group));
        if (written < 0) {
            mendBoth(group, meta, last);
        } else if (written < last) {
            put(meta, noVote(last));
            LOG.warn(
                    "{} held term {}, but there are entries of term {}, as Ratis leaves it if it"
                            + " could not be written: goes on in that term, without a vote in it",
                    meta,
                    written,
                    last);
        }
    }

    private static void mendBoth(Path group, Path meta, long last) throws IOException {
        long known = Math.max(last, floor(group));
        if (!Files.exists(meta) && known < 0) {
            // Not made whole: it has never taken part, and Ratis makes it anew.
            return;
        }
        long term = Math.max(0, known) + JUMP;
        // First, so that a second mending is above what is done after this one.
        put(group.resolve(FLOOR), "photon term floor 1: " + term + "\n");
        put(meta, noVote(term));
        LOG.warn(
                "{} held no term and no vote, as Ratis leaves it if the disk is full: goes on in"
                        + " term {}, above all in which it can have voted",
                meta,
                term);
    }

    private static String noVote(long term) {
        return "term=" + term + "\nvotedFor=\n";
    }

    /** As Ratis reads it; -1 for none. */
    private static long term(Path meta) throws IOException {
        if (!Files.exists(meta)) {
            return -1;
        }
        Properties properties = new Properties();
        try (Reader text = Files.newBufferedReader(meta, StandardCharsets.UTF_8)) {
            properties.load(text);
            return properties.containsKey("votedFor")
                    ? Math.max(-1, Long.parseLong(properties.getProperty("term", "")))
                    : -1;
        } catch (CharacterCodingException | IllegalArgumentException e) {
            return -1;
        }
    }

    /** Of the newest file that holds an entry, since terms only grow in a log; -1 for none. */
    private static long lastOfLog(Path group) throws IOException {
        List<LogSegmentPath> segments = new ArrayList<>();
        try (DirectoryStream<Path> files =
                Files.newDirectoryStream(group.resolve("current"), "log_*")) {
            for (Path file : files) {
                // Ratis deletes an empty one when it is asked for its name.
                LogSegmentPath segment =
                        Files.size(file) == 0 ? null : LogSegmentPath.matchLogSegment(file);
                if (segment != null) {
                    segments.add(segment);
                }
            }
        }
        segments.sort(Comparator.comparing(LogSegmentPath::getStartEnd).reversed());
        for (LogSegmentPath segment : segments) {
            long[] last = {-1};
            LogSegment.readSegmentFile(
                    segment.getPath().toFile(),
                    segment.getStartEnd(),
                    SizeInBytes.valueOf(RaftSettings.ENTRY_BYTES_MAX),
                    RaftServerConfigKeys.Log.CorruptionPolicy.WARN_AND_RETURN,
                    null,
                    entry -> last[0] = entry.getTerm());
            if (last[0] >= 0) {
                return last[0];
            }
        }
        return -1;
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
