package photon.storage.lease;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.storage.document.DocumentFolder;
import photon.storage.document.VersionedDocument;
import photon.storage.files.FileStore;

/**
 * The nodes that work on the partitions of one state: each has a document, which it renews, so that
 * one listing shows who goes on. Not thread-safe; other processes write it too.
 */
public final class NodeList {
    private static final Logger log = LoggerFactory.getLogger(NodeList.class);

    private final DocumentFolder folder;

    /** Of the looks in which an entry goes on: it is read again, since a new life may say more. */
    private static final int READ_EVERY = 4;

    private static final Duration TERM_UNKNOWN = Duration.ofSeconds(20);

    /** What was read of each. */
    private final Map<String, Read> known = new HashMap<>();

    private long looks;

    private record Read(Node node, long version, long look) {}

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

    /**
     * All entries, by name, with one listing.
     *
     * @throws IOException if they cannot be listed, or one cannot be read
     */
    public Map<String, Entry> look() throws IOException {
        Map<String, Long> versions = folder.versions();
        known.keySet().retainAll(versions.keySet());
        looks++;
        Map<String, Entry> entries = new TreeMap<>();
        for (Map.Entry<String, Long> version : versions.entrySet()) {
            String name = version.getKey();
            long newest = version.getValue();
            Read read = known.get(name);
            boolean old =
                    read != null && read.version() != newest && looks - read.look() >= READ_EVERY;
            if (read == null || old) {
                Optional<VersionedDocument.Version> now = folder.read(name);
                if (now.isEmpty()) {
                    continue; // it has left meanwhile
                }
                read = new Read(node(name, now.get().content()), newest, looks);
                known.put(name, read);
            }
            entries.put(name, new Entry(newest, read.node()));
        }
        return entries;
    }

    /** One that is damaged lives as any other: that its entry goes on says so. */
    private static Node node(String name, byte[] content) {
        try {
            return Node.decode(content);
        } catch (IOException e) {
            log.warn("The entry {} of the node list cannot be understood", name, e);
            return new Node(name, "", 1, TERM_UNKNOWN.toMillis());
        }
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
