package photon.idregistry.raft.snapshot;

import static photon.core.error.Checks.check;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotRetentionPolicy;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.idregistry.replicated.FrozenState;

/**
 * The snapshots of one group: a directory each, which gets its name when all of it is on disk.
 *
 * <p>The log is purged up to the index of the {@linkplain #getLatestSnapshot latest}, and Ratis
 * sends that one to followers. So a name that is there but cannot be read is an error: to start
 * without it would be to start without what was purged.
 *
 * <p>{@link #getLatestSnapshot} and {@link #syncReceived} are thread-safe; of the rest, one call at
 * a time.
 */
public final class SnapshotStorage implements StateMachineStorage {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotStorage.class);

    /** One may be on its way to a follower while the next is made. */
    private static final int KEPT = 2;

    /** A follower that takes no more of a snapshot for so long asks for the latest. */
    private static final long SENDING_NANOS = 300_000_000_000L;

    private static final Pattern NAME = Pattern.compile("snapshot-(\\d+)-(\\d+)");
    private static final String WRITING = "writing";

    private final SnapshotDisk disk;

    /** Ratis may have been told of these, and be sending one. */
    private final Map<Path, StoredSnapshot> handedOut = new HashMap<>();

    private @Nullable Path directory;
    private @Nullable Path received;

    /**
     * Parts of snapshots whose leader died, as of when the last one had come whole. Nothing else:
     * the next may be coming in already, or be whole and about to be put in place.
     */
    private volatile List<Path> leftBehind = List.of();

    private volatile @Nullable StoredSnapshot latest;

    public SnapshotStorage(SnapshotDisk disk) {
        this.disk = disk;
    }

    @Override
    public void init(RaftStorage raft) throws IOException {
        open(
                raft.getStorageDir().getStateMachineDir().toPath(),
                raft.getStorageDir().getTmpDir().toPath());
    }

    /**
     * Finds the latest snapshot. What is not whole is removed.
     *
     * @param directory of the snapshots
     * @param received where Ratis gathers one that a leader sends
     * @throws IOException naming the file, if the latest is damaged
     */
    void open(Path directory, Path received) throws IOException {
        this.directory = directory;
        this.received = received;
        disk.deleteWhole(received);
        if (!Files.exists(directory)) {
            putBack(directory);
        }
        Files.createDirectories(directory);
        disk.deleteWhole(directory.resolve(WRITING));
        reload();
        for (Path aside : aside(directory)) {
            disk.deleteWhole(aside);
        }
    }

    private Path directory() {
        return Objects.requireNonNull(directory, "opened");
    }

    /**
     * Ratis puts a received snapshot in place by moving the whole directory aside and the received
     * one to its name. After a crash between the two the one before is what the log goes on from.
     */
    private void putBack(Path sm) throws IOException {
        Path aside = null;
        for (Path one : aside(sm)) {
            // Their names end in the time: the last is the one that was in use.
            if (aside == null || one.compareTo(aside) > 0) {
                aside = one;
            }
        }
        if (aside != null) {
            disk.move(aside, sm);
            disk.sync(Objects.requireNonNull(sm.getParent()));
        }
    }

    private static List<Path> aside(Path sm) throws IOException {
        return list(Objects.requireNonNull(sm.getParent()), sm.getFileName() + ".tmp*");
    }

    /**
     * Looks for the latest again, after one was received.
     *
     * @return what is the latest now; null for none
     */
    @Nullable StoredSnapshot reload() throws IOException {
        // A crash may have lost Ratis' renaming, and what it deletes behind it is the log.
        disk.sync(Objects.requireNonNull(directory().getParent()));
        StoredSnapshot newest = newest();
        if (newest != null) {
            for (Path md5 : list(newest.directory(), "*.md5")) {
                disk.delete(md5);
            }
        }
        for (Path half : leftBehind) {
            disk.deleteWhole(half);
        }
        leftBehind = List.of();
        handedOut.clear();
        handOut(newest);
        return newest;
    }

    private void handOut(@Nullable StoredSnapshot newest) {
        if (newest != null) {
            handedOut.put(newest.directory(), newest);
        }
        latest = newest;
    }

    private @Nullable StoredSnapshot newest() throws IOException {
        Path found = null;
        long highest = -1;
        for (Path one : list(directory(), "snapshot-*")) {
            long index = index(one);
            if (index > highest) {
                highest = index;
                found = one;
            }
        }
        return found == null ? null : StoredSnapshot.open(found);
    }

    private static long index(Path snapshot) {
        Matcher name = NAME.matcher(String.valueOf(snapshot.getFileName()));
        return name.matches() ? Long.parseLong(name.group(2)) : -1;
    }

    private static List<Path> list(Path directory, String glob) throws IOException {
        List<Path> all = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, glob)) {
            found.forEach(all::add);
        }
        return all;
    }

    /**
     * What Ratis has received and is about to put in place is on disk when this returns: it deletes
     * the log behind it.
     */
    void syncReceived() throws IOException {
        Path from = Objects.requireNonNull(received, "opened");
        if (!Files.exists(from)) {
            return;
        }
        List<Path> all;
        try (Stream<Path> walk = Files.walk(from)) {
            all = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : all) {
            disk.sync(path);
        }
        List<Path> halves = new ArrayList<>();
        for (Path one : list(from, "*")) {
            if (!isWhole(one)) {
                halves.add(one);
            }
        }
        leftBehind = List.copyOf(halves);
    }

    /** The manifest is sent last. */
    private static boolean isWhole(Path received) throws IOException {
        if (!Files.isDirectory(received)) {
            return false;
        }
        for (Path snapshot : list(received, "snapshot-*")) {
            if (Files.exists(snapshot.resolve(SnapshotManifest.NAME))) {
                return true;
            }
        }
        return false;
    }

    /** Writes what was frozen at an index; it is the latest, and on disk, when this returns. */
    StoredSnapshot write(
            FrozenState frozen,
            TermIndex at,
            @Nullable StoredSnapshot previous,
            Pace pace,
            BooleanSupplier abandoned)
            throws IOException {
        check(
                previous == null || previous.getIndex() < at.getIndex(),
                "Expected a snapshot above %s, but got index %s",
                previous,
                at.getIndex());
        Path writing = directory().resolve(WRITING);
        Path target = directory().resolve("snapshot-" + at.getTerm() + "-" + at.getIndex());
        boolean done = false;
        try {
            disk.deleteWhole(writing);
            disk.makeDirectory(writing);
            SnapshotDraft draft = new SnapshotDraft(disk, writing, previous, pace, abandoned);
            try {
                frozen.write(draft);
                draft.finish(at);
            } finally {
                draft.close();
            }
            // Of an attempt whose last step failed: it was never called the latest.
            disk.deleteWhole(target);
            disk.move(writing, target);
            disk.sync(directory());
            StoredSnapshot made = StoredSnapshot.open(target);
            handOut(made);
            done = true;
            return made;
        } finally {
            if (!done) {
                deleteQuietly(writing);
            }
        }
    }

    private void deleteQuietly(Path writing) {
        try {
            disk.deleteWhole(writing);
        } catch (IOException e) {
            LOG.warn("{} is left behind until the next snapshot", writing, e);
        }
    }

    /**
     * Deletes what is old, and not on its way to a follower.
     *
     * @param freed as in {@link SnapshotDisk#deleteWhole(Path, LongConsumer)}
     * @param nanoTime monotonic
     */
    void deleteOld(LongConsumer freed, long nanoTime) throws IOException {
        List<Path> all = list(directory(), "snapshot-*");
        all.sort(Comparator.comparingLong(SnapshotStorage::index).reversed());
        for (Path old : all.subList(Math.min(KEPT, all.size()), all.size())) {
            if (!isSent(old, nanoTime)) {
                handedOut.remove(old);
                disk.deleteWhole(old, freed);
            }
        }
    }

    private boolean isSent(Path snapshot, long nanoTime) {
        StoredSnapshot known = handedOut.get(snapshot);
        return known != null && isSent(known, nanoTime);
    }

    private static boolean isSent(StoredSnapshot snapshot, long nanoTime) {
        return !snapshot.leftAlone(nanoTime, SENDING_NANOS);
    }

    /**
     * What a follower has when it has received what is being sent: it needs the log behind that.
     *
     * @return the lowest index of such a snapshot; {@link Long#MAX_VALUE}: none is being sent
     */
    long lowestSent(long nanoTime) {
        return handedOut.values().stream()
                .filter(one -> isSent(one, nanoTime))
                .mapToLong(StoredSnapshot::getIndex)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    @Override
    public @Nullable StoredSnapshot getLatestSnapshot() {
        return latest;
    }

    @Override
    public void format() {
        // Ratis has made the directory.
    }

    /** Done by {@link #deleteOld}: this would not know what is being sent. */
    @Override
    public void cleanupOldSnapshots(SnapshotRetentionPolicy policy) {}
}
