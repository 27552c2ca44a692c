package photon.storage.state;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;
import photon.storage.document.VersionedDocument;
import photon.storage.files.DurableDirectories;
import photon.storage.files.FileStore;
import photon.storage.files.WholeFile;

/**
 * The directory in which a dispatcher's state lies, under the state's identity: {@code
 * HOME/<uuid>/} (docs/protocol.md section 7). So a state that is lost and one that came in its
 * place never share a path. A state is whole once {@code identity.json} stands in it. Not
 * thread-safe.
 */
public final class StateHome {
    private static final String FILE = "identity.json";
    private static final String SET_ASIDE = "lost-";

    /**
     * Names the state that is here. Of two processes that make one at the same time it takes one.
     */
    private static final String CURRENT = "current";

    private final FileStore files;
    private final String directory;

    /** Of {@link #CURRENT}, as {@link #identity} has met it. */
    private long version;

    /**
     * @param directory absolute; need not exist
     */
    public StateHome(FileStore files, String directory) {
        this.files = files;
        this.directory = directory;
    }

    /** Makes what a state consists of. */
    @FunctionalInterface
    public interface Content {
        /** Makes it in this directory, durably. */
        void make(String path) throws IOException;
    }

    /**
     * The state that is here; empty: there is none.
     *
     * @throws IOException if files cannot be read
     */
    public Optional<UUID> identity() throws IOException {
        Optional<VersionedDocument.Version> named = current().read();
        version = named.map(VersionedDocument.Version::number).orElse(0L);
        if (named.isEmpty()) {
            return Optional.empty();
        }
        String text = new String(named.get().content(), StandardCharsets.US_ASCII);
        UUID identity;
        try {
            identity = UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    "Expected the identity of a state in %s/%s, but got '%s'"
                            .formatted(directory, CURRENT, text),
                    e);
        }
        return files.stat(path(identity) + "/" + FILE) == null
                ? Optional.empty()
                : Optional.of(identity);
    }

    private VersionedDocument current() {
        return new VersionedDocument(files, directory, CURRENT);
    }

    /** Where the state of this identity lies, or would lie. */
    public String path(UUID identity) {
        return directory + "/" + identity;
    }

    /** Where the state that is here lies; where there is none, a path at which nothing is. */
    public String path() throws IOException {
        return identity().map(this::path).orElse(directory + "/none");
    }

    /**
     * Makes the state that is here from now on. Durable on return; a crash before leaves none
     * behind.
     *
     * @param identity never used before
     * @return false: another process has made one since {@link #identity} was asked last, and that
     *     one is here
     */
    public boolean create(UUID identity, UUID pipeline, String datacenter, Content content)
            throws IOException {
        String path = path(identity);
        DurableDirectories.create(files, path);
        content.make(path);
        byte[] json =
                new ObjectMapper()
                        .createObjectNode()
                        .put("state", identity.toString())
                        .put("pipelineUuid", pipeline.toString())
                        .put("datacenter", datacenter)
                        .toPrettyString()
                        .getBytes(StandardCharsets.UTF_8);
        if (!WholeFile.publishIn(files, path, FILE, json)) {
            throw new IOException("Expected no state in %s, but there is one".formatted(path));
        }
        files.syncDirectory(path);
        byte[] named = identity.toString().getBytes(StandardCharsets.US_ASCII);
        if (!current().write(version, named)) {
            files.delete(path);
            return false;
        }
        version++;
        return true;
    }

    /** A state that is not used any more gets another name, under which nobody looks for it. */
    public void setAside(UUID identity) throws IOException {
        files.rename(path(identity), directory + "/" + SET_ASIDE + identity);
        files.syncDirectory(directory);
    }
}
