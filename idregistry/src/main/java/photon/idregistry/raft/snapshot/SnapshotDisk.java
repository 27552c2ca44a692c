package photon.idregistry.raft.snapshot;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.function.LongConsumer;
import photon.idregistry.replicated.GradualRemoval;

/** What snapshots do to the disk: each call is a step at which a crash may come. */
public class SnapshotDisk {
    /** Told of each step before it; a test ends things here. */
    public void before(String step, Path path) throws IOException {}

    /** Told by the log's writer, which waits for it, before it forces entries; for tests. */
    public void beforeLogIsForced() {}

    void makeDirectory(Path directory) throws IOException {
        before("make", directory);
        Files.createDirectory(directory);
    }

    public FileChannel create(Path file) throws IOException {
        before("create", file);
        return FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    /** What was written so far outlasts a loss of power; the file's name is its directory's. */
    void force(FileChannel open, Path file) throws IOException {
        before("force", file);
        open.force(true);
    }

    /** The same for a file or directory that nobody has open. */
    public void sync(Path path) throws IOException {
        before("sync", path);
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /**
     * Gives a file a second name.
     *
     * @return false if that cannot be done here, as between two file systems
     */
    boolean link(Path existing, Path name) throws IOException {
        before("link", name);
        try {
            Files.createLink(name, existing);
            return true;
        } catch (FileAlreadyExistsException e) {
            throw e;
        } catch (FileSystemException | UnsupportedOperationException e) {
            if (!Files.exists(existing)) {
                throw e;
            }
            return false;
        }
    }

    public void move(Path from, Path to) throws IOException {
        before("move", to);
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }

    public void delete(Path file) throws IOException {
        before("delete", file);
        Files.deleteIfExists(file);
    }

    /** Deletes a directory and what is in it, or a file; nothing if it is not there. */
    public void deleteWhole(Path path) throws IOException {
        deleteWhole(path, freed -> {});
    }

    /**
     * The same of what nobody reads, little by little.
     *
     * @param freed as in {@link GradualRemoval#delete}
     */
    public void deleteWhole(Path path, LongConsumer freed) throws IOException {
        if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            try (DirectoryStream<Path> all = Files.newDirectoryStream(path)) {
                for (Path one : all) {
                    deleteWhole(one, freed);
                }
            }
            delete(path);
        } else {
            before("delete", path);
            GradualRemoval.delete(path, freed);
        }
    }
}
