package photon.idregistry.raft;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.ratis.io.MD5Hash;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.impl.SimpleStateMachineStorage;
import org.apache.ratis.statemachine.impl.SingleFileSnapshotInfo;
import org.apache.ratis.util.MD5FileUtil;
import org.jspecify.annotations.Nullable;
import photon.idregistry.replicated.FrozenState;
import photon.idregistry.replicated.MemorySnapshot;
import photon.idregistry.replicated.ReplicatedState;
import photon.idregistry.replicated.SnapshotWriter;
import photon.idregistry.replicated.StateFile;
import photon.idregistry.replicated.StoredFile;

/**
 * The snapshots of one group, whole files in Ratis' own naming, so that Ratis can send them to a
 * follower and delete old ones.
 *
 * <p>Ratis purges its log up to the index that a snapshot is said to have. So a name appears only
 * when the file and its checksum are on disk, and a file that is there but cannot be read is an
 * error: to start without it would be to start without what was purged.
 */
final class SnapshotFiles {
    private static final Pattern LOG_SEGMENT = Pattern.compile("log_(?:inprogress_)?(\\d+).*");

    private final SimpleStateMachineStorage storage = new SimpleStateMachineStorage();
    private @Nullable Path directory;

    SimpleStateMachineStorage storage() {
        return storage;
    }

    void open(RaftStorage raft) throws IOException {
        storage.init(raft);
        Path sm = raft.getStorageDir().getStateMachineDir().toPath();
        if (!Files.exists(sm)) {
            putBack(sm);
        }
        Files.createDirectories(sm);
        directory = sm;
        try (DirectoryStream<Path> halfMade = Files.newDirectoryStream(sm, "*.writing")) {
            for (Path file : halfMade) {
                Files.delete(file);
            }
        }
    }

    /**
     * Ratis puts a received snapshot in place by moving the whole directory aside and the received
     * one to its name. After a crash between the two the one before is what the log goes on from.
     */
    private static void putBack(Path sm) throws IOException {
        Path group = java.util.Objects.requireNonNull(sm.getParent());
        Path aside = null;
        try (DirectoryStream<Path> all =
                Files.newDirectoryStream(group, sm.getFileName() + ".tmp*")) {
            for (Path one : all) {
                // Their names end in the time: the last is the one that was in use.
                if (aside == null || one.compareTo(aside) > 0) {
                    aside = one;
                }
            }
        }
        if (aside != null) {
            Files.move(aside, sm, StandardCopyOption.ATOMIC_MOVE);
            sync(group);
        }
    }

    /** Writes the state as of an index; durable when this returns. */
    void write(ReplicatedState state, TermIndex at) throws IOException {
        File target = storage.getSnapshotFile(at.getTerm(), at.getIndex());
        Path writing = target.toPath().resolveSibling(target.getName() + ".writing");
        MessageDigest md5 = MD5FileUtil.newMD5();
        try {
            try (FileOutputStream file = new FileOutputStream(writing.toFile())) {
                DataOutputStream out =
                        new DataOutputStream(
                                new BufferedOutputStream(
                                        new DigestOutputStream(file, md5), 1 << 16));
                try (FrozenState frozen = state.freeze()) {
                    frozen.write(new OneFile(out));
                }
                out.flush();
                file.getFD().sync();
            }
            MD5Hash hash = MD5Hash.newInstance(md5.digest());
            MD5FileUtil.saveMD5File(target, hash);
            sync(target.toPath().getParent());
            Files.move(writing, target.toPath(), StandardCopyOption.ATOMIC_MOVE);
            sync(target.toPath().getParent());
            storage.updateLatestSnapshot(
                    new SingleFileSnapshotInfo(new FileInfo(target.toPath(), hash), at));
        } finally {
            Files.deleteIfExists(writing);
        }
    }

    /**
     * Reads the newest snapshot.
     *
     * @return what it holds; null if there is none
     */
    @Nullable TermIndex read(ReplicatedState state) throws IOException {
        Path newest = newest();
        if (newest == null) {
            return null;
        }
        MD5Hash hash = MD5FileUtil.readStoredMd5ForFile(newest.toFile());
        if (hash == null) {
            throw new IOException(
                    "Expected the checksum of snapshot " + newest + ", but its .md5 is not there");
        }
        MD5Hash found = MD5FileUtil.computeMd5ForFile(newest.toFile());
        if (!hash.equals(found)) {
            throw new IOException(
                    "Expected snapshot "
                            + newest
                            + " with checksum "
                            + hash
                            + ", but got "
                            + found);
        }
        // One that the leader sent has not been forced to disk by Ratis.
        sync(newest);
        sync(newest.getParent());
        TermIndex at = SimpleStateMachineStorage.getTermIndexFromSnapshotFile(newest.toFile());
        state.restore(MemorySnapshot.of(StateFile.NAME, Files.readAllBytes(newest)));
        storage.updateLatestSnapshot(new SingleFileSnapshotInfo(new FileInfo(newest, hash), at));
        return at;
    }

    /** Looks itself: Ratis' own look-up takes an unreadable directory for an empty one. */
    private @Nullable Path newest() throws IOException {
        Path found = null;
        long highest = -1;
        try (DirectoryStream<Path> files =
                Files.newDirectoryStream(java.util.Objects.requireNonNull(directory))) {
            for (Path file : files) {
                Matcher name =
                        SimpleStateMachineStorage.SNAPSHOT_REGEX.matcher(
                                String.valueOf(file.getFileName()));
                if (name.matches() && Long.parseLong(name.group(2)) > highest) {
                    highest = Long.parseLong(name.group(2));
                    found = file;
                }
            }
        }
        return found;
    }

    /**
     * Refuses a log that begins behind what the state holds: the entries between are gone, and
     * Ratis would wait for them for ever.
     *
     * @param applied what the state holds; -1 for nothing
     */
    static void checkLogGoesOn(RaftStorage raft, String name, long applied) throws IOException {
        long start = Long.MAX_VALUE;
        Path current = raft.getStorageDir().getRoot().toPath().resolve("current");
        try (DirectoryStream<Path> files = Files.newDirectoryStream(current, "log_*")) {
            for (Path file : files) {
                Matcher segment = LOG_SEGMENT.matcher(String.valueOf(file.getFileName()));
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

    /** Takes the one file of a snapshot of the first format. */
    private record OneFile(OutputStream out) implements SnapshotWriter {
        @Override
        public OutputStream create(String name) throws IOException {
            if (!name.equals(StateFile.NAME)) {
                throw new IOException(
                        "Expected a snapshot of one file " + StateFile.NAME + ", but got " + name);
            }
            return new FilterOutputStream(out) {
                @Override
                public void write(byte[] bytes, int offset, int length) throws IOException {
                    out.write(bytes, offset, length);
                }

                @Override
                public void close() throws IOException {
                    flush();
                }
            };
        }

        @Override
        public boolean reuse(String name) {
            return false;
        }

        @Override
        public void link(String name, StoredFile file) throws IOException {
            throw new IOException("Expected a snapshot of one file, but got " + name);
        }
    }

    private static void sync(@Nullable Path path) throws IOException {
        try (FileChannel channel =
                FileChannel.open(java.util.Objects.requireNonNull(path), StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
