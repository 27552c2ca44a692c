package photon.storage.lease;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import photon.storage.document.DocumentFolder;
import photon.storage.document.VersionedDocument;
import photon.storage.files.FileStore;

/**
 * The nodes that work on the partitions of one state: each has a document, which it renews, so that
 * one listing shows who goes on. Not thread-safe; other processes write it too.
 */
public final class NodeList {
    private final DocumentFolder folder;

    /** What was read of each; an entry that stands still or goes on is not read again. */
    private final Map<String, Node> known = new HashMap<>();

    /**
     * @param directory made by the first node that joins
     */
    public NodeList(FileStore files, String directory) {
        this.folder = new DocumentFolder(files, directory);
    }

    /**
     * An entry.
     *
     * @param version grows with each renewal
     */
    public record Entry(long version, Node node) {}

    /** All entries, by name, with one listing. Those that cannot be read are left out. */
    public Map<String, Entry> look() throws IOException {
        Map<String, Long> versions = folder.versions();
        known.keySet().retainAll(versions.keySet());
        Map<String, Entry> entries = new TreeMap<>();
        for (Map.Entry<String, Long> version : versions.entrySet()) {
            Node node = known.get(version.getKey());
            if (node == null) {
                Optional<VersionedDocument.Version> read = folder.read(version.getKey());
                if (read.isEmpty()) {
                    continue; // it has left meanwhile
                }
                node = Node.decode(read.get().content());
                known.put(version.getKey(), node);
            }
            entries.put(version.getKey(), new Entry(version.getValue(), node));
        }
        return entries;
    }

    /** Version of a node's entry; 0: there is none. */
    long version(String name) throws IOException {
        return folder.versions().getOrDefault(name, 0L);
    }

    void make() throws IOException {
        folder.make();
    }

    /**
     * Joins or renews.
     *
     * @return false: somebody wrote the entry since this version
     */
    boolean write(long seenVersion, Node node) throws IOException {
        return folder.write(node.name(), seenVersion, node.encode());
    }

    /** The entry of a node that has left, or will not come back. */
    void remove(String name) throws IOException {
        folder.remove(name);
    }
}
