package photon.idregistry.raft;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import photon.idregistry.raft.snapshot.SnapshotDisk;

/**
 * Which groups this server has made: an empty file each. A group whose log is gone, alone of all,
 * would be made anew with the vote of one that has confirmed entries, and elect a leader that lacks
 * them (docs/protocol.md section 11).
 *
 * <p>A file is there before anybody hears that the group is, and goes before the log does. A crash
 * between leaves a log without a file, which gets one at the next start.
 */
final class GroupsMade {
    private final Path storage;
    private final Path marks;
    private final SnapshotDisk disk;

    /**
     * @param data the server's
     */
    GroupsMade(Path data, SnapshotDisk disk) {
        this.storage = RaftSettings.storage(data);
        this.marks = data.resolve("groups");
        this.disk = disk;
    }

    /**
     * At a start, before anything is made.
     *
     * @throws IOException naming the directory, if a group's log is gone
     */
    void check() throws IOException {
        Files.createDirectories(marks);
        try (DirectoryStream<Path> made = Files.newDirectoryStream(marks)) {
            for (Path mark : made) {
                Path log = storage.resolve(mark.getFileName());
                if (!Files.exists(log)) {
                    throw new IOException(
                            "The log of a group that this server took part in is gone, and what it"
                                    + " has confirmed with it: expected "
                                    + log);
                }
            }
        }
        try (DirectoryStream<Path> logs = Files.newDirectoryStream(storage)) {
            for (Path log : logs) {
                if (Files.isDirectory(log)) {
                    mark(String.valueOf(log.getFileName()));
                }
            }
        }
        disk.sync(marks);
    }

    void add(UUID group) throws IOException {
        mark(group.toString());
        disk.sync(marks);
    }

    private void mark(String group) throws IOException {
        Path mark = marks.resolve(group);
        if (!Files.exists(mark)) {
            disk.create(mark).close();
        }
    }

    void remove(UUID group) throws IOException {
        disk.delete(marks.resolve(group.toString()));
        disk.sync(marks);
    }
}
