package photon.storage.files;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The names of a {@link MemoryFileStore}: what stands now, and which changes of names a power cut
 * may still take back, each by itself. Only what is needed for sense is kept in order: changes of
 * one name become durable one after the other, a rename is one change of both its names, and is not
 * durable before the directory is that it leads to.
 */
final class MemoryTree {
    /** A file or a directory. */
    abstract static class Node {
        long inode;
        int names;
        int handles;
        long modifiedMillis;
        private @Nullable String key;

        /** The identity that a listing gives. */
        String key() {
            if (key == null) {
                key = Long.toString(inode);
            }
            return key;
        }
    }

    /** A file: its bytes, and how many of them are on the disk. */
    static final class FileNode extends Node {
        byte[] bytes;
        int length;
        int synced;

        FileNode() {
            this(new byte[256]);
        }

        FileNode(byte[] bytes) {
            this.bytes = bytes;
        }

        void append(byte[] from, int offset, int count) {
            if (length + count > bytes.length) {
                bytes = java.util.Arrays.copyOf(bytes, Math.max(length + count, 2 * bytes.length));
            }
            System.arraycopy(from, offset, bytes, length, count);
            length += count;
        }
    }

    /** A directory: the names in it now, and those that survive a power cut for sure. */
    static final class DirectoryNode extends Node {
        final TreeMap<String, Node> live = new TreeMap<>();
        final TreeMap<String, Node> durable = new TreeMap<>();
    }

    /** One name given to a node, or taken away (null). */
    record NameChange(DirectoryNode directory, String name, @Nullable Node node) {}

    /** A place for a name; directories are compared by identity. */
    private record Place(DirectoryNode directory, String name) {
        static Place of(NameChange change) {
            return new Place(change.directory(), change.name());
        }
    }

    final DirectoryNode root = new DirectoryNode();
    private final List<List<NameChange>> pending = new ArrayList<>();

    /** The node at a path that begins with '/'; null if nothing stands there. */
    @Nullable Node find(String path) {
        Node node = root;
        for (String name : names(path)) {
            if (!(node instanceof DirectoryNode directory)) {
                return null;
            }
            Node next = directory.live.get(name);
            if (next == null) {
                return null;
            }
            node = next;
        }
        return node;
    }

    static List<String> names(String path) {
        if (!path.startsWith("/") || path.contains("//") || path.contains("/../")) {
            throw new IllegalArgumentException("Expected an absolute path, but got '" + path + "'");
        }
        List<String> names = new ArrayList<>();
        int from = 1;
        while (from <= path.length()) {
            int slash = path.indexOf('/', from);
            int to = slash < 0 ? path.length() : slash;
            String name = path.substring(from, to);
            from = to + 1;
            if (!name.isEmpty()) {
                names.add(name);
            }
        }
        return names;
    }

    /** Makes one change of names now, and durable at the next sync of one of its directories. */
    void change(NameChange... changes) {
        List<NameChange> operation = List.of(changes);
        for (NameChange change : operation) {
            Node before =
                    change.node() == null
                            ? change.directory().live.remove(change.name())
                            : change.directory().live.put(change.name(), change.node());
            if (before != null) {
                before.names--;
            }
            if (change.node() != null) {
                change.node().names++;
            }
        }
        pending.add(operation);
    }

    /**
     * Makes the other tree a copy; what it then holds counts as durable there.
     *
     * @param durableOnly names and bytes that survive a power cut for sure, else all that stand
     */
    void copyTo(MemoryTree other, boolean durableOnly) {
        copy(root, other.root, durableOnly, new IdentityHashMap<>());
    }

    private static void copy(
            DirectoryNode from, DirectoryNode to, boolean durableOnly, Map<Node, Node> copies) {
        to.inode = from.inode;
        to.modifiedMillis = from.modifiedMillis;
        (durableOnly ? from.durable : from.live)
                .forEach(
                        (name, node) -> {
                            Node copy = copies.get(node); // two names of one file
                            if (copy == null) {
                                copy = copy(node, durableOnly, copies);
                                copies.put(node, copy);
                            }
                            copy.names++;
                            to.live.put(name, copy);
                            to.durable.put(name, copy);
                        });
    }

    private static Node copy(Node node, boolean durableOnly, Map<Node, Node> copies) {
        if (node instanceof DirectoryNode directory) {
            DirectoryNode copy = new DirectoryNode();
            copy(directory, copy, durableOnly, copies);
            return copy;
        }
        FileNode file = (FileNode) node;
        FileNode copy = new FileNode(file.bytes);
        copy.inode = file.inode;
        copy.modifiedMillis = file.modifiedMillis;
        copy.length = durableOnly ? file.synced : file.length;
        copy.synced = copy.length;
        return copy;
    }

    /** Makes every change of this directory durable, and what must come before those. */
    void sync(DirectoryNode directory) {
        Set<Place> places = new HashSet<>();
        Set<Node> named = Collections.newSetFromMap(new IdentityHashMap<>());
        boolean[] durable = new boolean[pending.size()];
        // From the last to the first: a change that is kept pulls in what must come before it.
        for (int i = pending.size() - 1; i >= 0; i--) {
            List<NameChange> operation = pending.get(i);
            durable[i] =
                    operation.stream()
                            .anyMatch(
                                    c ->
                                            c.directory() == directory
                                                    || places.contains(Place.of(c))
                                                    || named.contains(c.node()));
            if (durable[i]) {
                operation.forEach(c -> places.add(Place.of(c)));
                target(operation).ifPresent(named::add);
            }
        }
        List<List<NameChange>> rest = new ArrayList<>();
        for (int i = 0; i < durable.length; i++) {
            if (durable[i]) {
                applyDurably(pending.get(i));
            } else {
                rest.add(pending.get(i));
            }
        }
        pending.clear();
        pending.addAll(rest);
    }

    /** The directory that a rename leads to. */
    private static Optional<Node> target(List<NameChange> operation) {
        return operation.size() > 1
                ? operation.stream()
                        .filter(c -> c.node() != null)
                        .<Node>map(NameChange::directory)
                        .findFirst()
                : Optional.empty();
    }

    void syncAll() {
        pending.forEach(MemoryTree::applyDurably);
        pending.clear();
    }

    private static void applyDurably(List<NameChange> operation) {
        for (NameChange change : operation) {
            if (change.node() == null) {
                change.directory().durable.remove(change.name());
            } else {
                change.directory().durable.put(change.name(), change.node());
            }
        }
    }

    /**
     * A power cut: each pending change survives with the chance {@code keep}, unless one that must
     * come before it was lost. Returns the files that stand afterwards, in order of path.
     */
    List<FileNode> crash(DoubleSupplier random, double keep) {
        Set<Place> lost = new HashSet<>();
        Set<Node> unnamed = Collections.newSetFromMap(new IdentityHashMap<>());
        for (List<NameChange> operation : pending) {
            boolean blocked =
                    operation.stream().anyMatch(c -> lost.contains(Place.of(c)))
                            || target(operation).filter(unnamed::contains).isPresent();
            if (!blocked && random.getAsDouble() < keep) {
                applyDurably(operation);
            } else {
                for (NameChange change : operation) {
                    lost.add(Place.of(change));
                    if (change.node() != null) {
                        unnamed.add(change.node());
                    }
                }
            }
        }
        pending.clear();
        List<FileNode> files = new ArrayList<>();
        restore(root, new HashSet<>(), files, Collections.newSetFromMap(new IdentityHashMap<>()));
        return files;
    }

    private void restore(
            DirectoryNode directory, Set<Long> inodes, List<FileNode> files, Set<Node> seen) {
        directory.live.clear();
        directory.live.putAll(directory.durable);
        for (Map.Entry<String, Node> entry : directory.durable.entrySet()) {
            Node node = entry.getValue();
            if (!seen.add(node)) {
                node.names++;
                continue;
            }
            node.names = 1;
            node.handles = 0;
            while (!inodes.add(node.inode)) {
                node.inode += 1_000_000; // its number was given away before its deletion was undone
            }
            if (node instanceof DirectoryNode child) {
                restore(child, inodes, files, seen);
            } else {
                files.add((FileNode) node);
            }
        }
    }
}
