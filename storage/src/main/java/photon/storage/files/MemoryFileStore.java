package photon.storage.files;

import static photon.storage.files.MemoryPaths.name;
import static photon.storage.files.MemoryPaths.parent;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import photon.storage.files.MemoryTree.DirectoryNode;
import photon.storage.files.MemoryTree.FileNode;
import photon.storage.files.MemoryTree.NameChange;
import photon.storage.files.MemoryTree.Node;

/**
 * A file system in memory, as hostile as the contract of {@link FileStore} allows and the same for
 * the same seed: bytes are visible only once flushed, a {@link #crash} loses or tears what was not
 * synced (bytes and names), the inode of a deleted file is used again, operations fail on demand.
 * Open handles follow their file through renames, as on a POSIX file system.
 */
public final class MemoryFileStore implements FileStore {
    /** What a hook is told of, before it happens. */
    public enum Operation {
        LIST,
        STAT,
        OPEN,
        READ,
        CREATE,
        CREATE_DIRECTORY,
        WRITE,
        FLUSH,
        SYNC,
        CLOSE,
        RENAME,
        PUBLISH,
        /** Within a publication: the new name stands, the old one is still there. */
        PUBLISH_UNLINK,
        DELETE,
        SYNC_DIRECTORY,
        RECOVER;

        /** True if it changes something: a crash before and after it may differ. */
        public boolean changes() {
            return this != LIST && this != STAT && this != OPEN && this != READ;
        }
    }

    /** Called before each operation; may fail it, use the store itself, or throw to "die". */
    @FunctionalInterface
    public interface Hook {
        void before(Operation operation, String path) throws IOException;
    }

    private final MemoryTree tree = new MemoryTree();
    private final RandomGenerator random;
    private final LongSupplier nowMillis;
    private final Map<Operation, Integer> failAt = new EnumMap<>(Operation.class);
    private final Deque<Long> freeInodes = new ArrayDeque<>();
    private final Map<String, PathMatcher> matchers = new HashMap<>();
    private Hook hook = (operation, path) -> {};
    private long nextInode = 1;
    private long usedBytes;
    private long capacityBytes = Long.MAX_VALUE;
    private int life;

    public MemoryFileStore() {
        this(1);
    }

    public MemoryFileStore(long seed) {
        this(new SplittableRandom(seed), () -> 0);
    }

    /**
     * @param nowMillis for the time of modification
     */
    public MemoryFileStore(RandomGenerator random, LongSupplier nowMillis) {
        this.random = random;
        this.nowMillis = nowMillis;
    }

    // ---- what tests do to it

    /**
     * A power cut: unsynced bytes survive by chance, wholly or in part, and so does each unsynced
     * change of a name, whatever becomes of the others.
     */
    public synchronized void crash() {
        crash(random.nextInt(3) / 2.0);
    }

    /** A power cut that takes everything that was not synced. */
    public synchronized void crashLosingAllUnsynced() {
        crash(0);
    }

    private void crash(double keep) {
        usedBytes = 0;
        for (FileNode file : tree.crash(random::nextDouble, keep)) {
            if (file.length > file.synced && keep < 1) {
                tear(file, keep);
            }
            file.synced = file.length;
            usedBytes += file.length;
        }
        freeInodes.clear();
        endHandles();
    }

    private void tear(FileNode file, double keep) {
        int unsynced = file.length - file.synced;
        int kept = keep == 0 ? 0 : random.nextInt(unsynced + 1);
        file.length = file.synced + kept;
        if (kept > 0 && random.nextInt(3) == 0) { // blocks arrive in any order: a hole of zeros
            int from = file.synced + random.nextInt(kept);
            int to = from + 1 + random.nextInt(file.length - from);
            java.util.Arrays.fill(file.bytes, from, to, (byte) 0);
        }
    }

    /** All processes die: what they had not flushed is gone, the machine lives on. */
    public synchronized void endHandles() {
        life++;
    }

    /** The process that writes this file has died: what it had not flushed is gone. */
    public synchronized void abandon(AppendFile file) {
        ((MemoryAppendFile) file).abandon();
    }

    /** Makes everything that stands durable, names and flushed bytes. */
    public synchronized void syncAll() {
        tree.syncAll();
        syncBytes(tree.root);
    }

    private static void syncBytes(DirectoryNode directory) {
        for (Node node : directory.live.values()) {
            if (node instanceof DirectoryNode child) {
                syncBytes(child);
            } else {
                FileNode file = (FileNode) node;
                file.synced = file.length;
            }
        }
    }

    /**
     * What stands now, for who looks at it: no hook and no failure of this store meets them, and
     * nothing that is done to the copy comes back. Cheap: bytes are shared until this store changes
     * them in place, so use it at once.
     */
    public synchronized MemoryFileStore copy() {
        return copy(false);
    }

    /** The same, as it would stand after {@link #crashLosingAllUnsynced}. */
    public synchronized MemoryFileStore durableCopy() {
        return copy(true);
    }

    private MemoryFileStore copy(boolean durableOnly) {
        MemoryFileStore copy = new MemoryFileStore(new SplittableRandom(0), nowMillis);
        tree.copyTo(copy.tree, durableOnly);
        copy.nextInode = nextInode;
        return copy;
    }

    public synchronized void setHook(Hook hook) {
        this.hook = hook;
    }

    /** The n-th such operation from now (1: the next) fails with an IOException, once. */
    public synchronized void failAt(Operation operation, int n) {
        failAt.put(operation, n);
    }

    /** From now on a file that would grow beyond this, all files together, finds the disk full. */
    public synchronized void setCapacityBytes(long bytes) {
        capacityBytes = bytes;
    }

    public synchronized long usedBytes() {
        return usedBytes;
    }

    /** The whole visible content of a file. */
    public synchronized byte[] content(String path) throws IOException {
        FileNode file = file(path);
        return java.util.Arrays.copyOf(file.bytes, file.length);
    }

    /** Writes a whole file, synced with its name; replaces what stands there. Makes parents. */
    public synchronized void put(String path, byte[] bytes) throws IOException {
        Hook saved = hook;
        hook = (operation, at) -> {};
        try {
            delete(path);
            createDirectories(parent(path));
            try (AppendFile file = create(path)) {
                file.write(bytes, 0, bytes.length);
                file.sync();
            }
        } finally {
            hook = saved;
        }
        tree.syncAll();
    }

    /** Another process appends to a file, synced. */
    public synchronized void append(String path, byte[] bytes) throws IOException {
        FileNode file = file(path);
        append(file, path, bytes, 0, bytes.length);
        file.synced = file.length;
    }

    /** Overwrites one byte in place, as a failing disk does. */
    public synchronized void corrupt(String path, int offset) throws IOException {
        file(path).bytes[offset] ^= 0x40;
    }

    /** Cuts a file short, as its owner may. */
    public synchronized void truncate(String path, int length) throws IOException {
        FileNode file = file(path);
        usedBytes -= file.length - length;
        file.length = length;
        file.synced = Math.min(file.synced, length);
    }

    // ---- FileStore

    @Override
    public synchronized List<FileInfo> glob(String pattern) throws IOException {
        before(Operation.LIST, pattern);
        PathMatcher matcher =
                matchers.computeIfAbsent(
                        pattern, glob -> FileSystems.getDefault().getPathMatcher("glob:" + glob));
        List<FileInfo> found = new ArrayList<>();
        // Only below the part of the pattern that is no pattern: tails list all the time.
        String base = Globs.fixedDirectory(pattern);
        if (tree.find(base) instanceof DirectoryNode directory) {
            collect(base.equals("/") ? "" : base, directory, matcher, found);
        }
        found.sort(java.util.Comparator.comparing(FileInfo::path));
        return found;
    }

    private static void collect(
            String at, DirectoryNode directory, PathMatcher matcher, List<FileInfo> found) {
        directory.live.forEach(
                (name, node) -> {
                    String path = at + "/" + name;
                    if (node instanceof DirectoryNode child) {
                        collect(path, child, matcher, found);
                    } else if (matcher.matches(Path.of(path))) {
                        found.add(info(path, node));
                    }
                });
    }

    @Override
    public synchronized List<FileInfo> list(String directory) throws IOException {
        before(Operation.LIST, directory);
        return peek(directory);
    }

    /** As {@link #list}, but no hook is told, and nothing fails. */
    public synchronized List<FileInfo> peek(String directory) {
        List<FileInfo> entries = new ArrayList<>();
        if (tree.find(directory) instanceof DirectoryNode node) {
            String prefix = directory.equals("/") ? "/" : directory + "/";
            node.live.forEach((name, entry) -> entries.add(info(prefix + name, entry)));
        }
        return entries;
    }

    @Override
    public synchronized @Nullable FileInfo stat(String path) throws IOException {
        before(Operation.STAT, path);
        Node node = tree.find(path);
        return node == null ? null : info(path, node);
    }

    @Override
    public synchronized ReadFile open(String path) throws IOException {
        before(Operation.OPEN, path);
        return new MemoryReadFile(this, file(path), path);
    }

    @Override
    public synchronized AppendFile create(String path) throws IOException {
        before(Operation.CREATE, path);
        DirectoryNode parent = freeName(path);
        FileNode file = new FileNode();
        file.inode = inode();
        file.modifiedMillis = nowMillis.getAsLong();
        tree.change(new NameChange(parent, name(path), file));
        return new MemoryAppendFile(this, file, path);
    }

    @Override
    public synchronized void createDirectory(String path) throws IOException {
        before(Operation.CREATE_DIRECTORY, path);
        makeDirectory(freeName(path), name(path));
    }

    @Override
    public synchronized void createDirectories(String path) throws IOException {
        before(Operation.CREATE_DIRECTORY, path);
        DirectoryNode at = tree.root;
        for (String name : MemoryTree.names(path)) {
            Node next = at.live.get(name);
            if (next == null) {
                next = makeDirectory(at, name);
                tree.sync(at); // as the production store does
            }
            if (!(next instanceof DirectoryNode directory)) {
                throw new FileAlreadyExistsException(path, null, name + " is a file");
            }
            at = directory;
        }
    }

    @Override
    public synchronized void rename(String from, String to) throws IOException {
        before(Operation.RENAME, from);
        Node node = existing(from);
        if (node == tree.root || to.startsWith(from + "/")) {
            throw new IOException("Cannot rename " + from + " into itself");
        }
        DirectoryNode target = freeName(to);
        DirectoryNode source = directory(parent(from));
        tree.change(
                new NameChange(source, name(from), null), new NameChange(target, name(to), node));
    }

    @Override
    public synchronized boolean publish(String from, String to) throws IOException {
        before(Operation.PUBLISH, from);
        FileNode node = file(from);
        Node standing = tree.find(to);
        if (standing != null && standing != node) {
            return false;
        }
        if (standing == null) {
            tree.change(new NameChange(freeName(to), name(to), node));
        } // else an earlier publication stopped half-way
        before(Operation.PUBLISH_UNLINK, from);
        existing(from); // by the path, as unlink does: somebody may have renamed its directory
        tree.change(new NameChange(directory(parent(from)), name(from), null));
        return true;
    }

    @Override
    public synchronized void delete(String path) throws IOException {
        before(Operation.DELETE, path);
        Node node = tree.find(path);
        if (node == null || node == tree.root) {
            return;
        }
        tree.change(new NameChange(directory(parent(path)), name(path), null));
        free(node);
    }

    private void free(Node node) {
        if (node instanceof DirectoryNode directory) {
            directory.live.values().forEach(this::freeNamed);
            freeInodes.push(directory.inode);
        } else if (node.names == 0) {
            usedBytes -= ((FileNode) node).length;
            if (node.handles == 0) {
                freeInodes.push(node.inode);
            }
        }
    }

    private void freeNamed(Node child) {
        child.names--;
        free(child);
    }

    @Override
    public synchronized void syncDirectory(String directory) throws IOException {
        before(Operation.SYNC_DIRECTORY, directory);
        tree.sync(directory(directory));
    }

    @Override
    public synchronized void recover(String path) throws IOException {
        before(Operation.RECOVER, path);
        file(path);
    }

    // ---- details

    /** To be called before each operation, by handles too, which hold the lock of the store. */
    void before(Operation operation, String path) throws IOException {
        hook.before(operation, path);
        Integer left = failAt.get(operation);
        if (left != null) {
            if (left == 1) {
                failAt.remove(operation);
                throw new IOException("Input/output error: " + operation + " " + path);
            }
            failAt.put(operation, left - 1);
        }
    }

    private long inode() {
        Long free = freeInodes.poll();
        return free != null ? free : nextInode++;
    }

    private DirectoryNode makeDirectory(DirectoryNode parent, String name) {
        DirectoryNode made = new DirectoryNode();
        made.inode = inode();
        made.modifiedMillis = nowMillis.getAsLong();
        tree.change(new NameChange(parent, name, made));
        return made;
    }

    private static FileInfo info(String path, Node node) {
        long length = node instanceof FileNode file ? file.length : 0;
        boolean directory = node instanceof DirectoryNode;
        return new FileInfo(path, node.key(), length, directory, node.modifiedMillis);
    }

    private Node existing(String path) throws IOException {
        Node node = tree.find(path);
        if (node == null) {
            throw new NoSuchFileException(path);
        }
        return node;
    }

    private FileNode file(String path) throws IOException {
        if (existing(path) instanceof FileNode file) {
            return file;
        }
        throw new IOException(path + " is a directory");
    }

    private DirectoryNode directory(String path) throws IOException {
        if (tree.find(path) instanceof DirectoryNode directory) {
            return directory;
        }
        throw new NoSuchFileException(path, null, "no such directory");
    }

    /** The parent in which this name is free. */
    private DirectoryNode freeName(String path) throws IOException {
        if (tree.find(path) != null) {
            throw new FileAlreadyExistsException(path);
        }
        return directory(parent(path));
    }

    /** Counts up when all handles die: a handle of an earlier life is dead. */
    int life() {
        return life;
    }

    /** Appends what has room, and fails if not all has. */
    void append(FileNode file, String path, byte[] bytes, int offset, int count)
            throws IOException {
        long room = capacityBytes - usedBytes;
        int fits = (int) Math.max(0, Math.min(room, count));
        file.append(bytes, offset, fits);
        file.modifiedMillis = nowMillis.getAsLong();
        usedBytes += fits;
        if (fits < count) {
            throw new IOException("No space left on device: " + path);
        }
    }

    void checkOpen(boolean closed, int bornIn, String path) throws IOException {
        if (closed || bornIn != life) {
            throw new IOException(path + (closed ? " is closed" : ": its process is dead"));
        }
    }
}
