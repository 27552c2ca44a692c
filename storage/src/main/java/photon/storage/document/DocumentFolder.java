package photon.storage.document;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import photon.storage.files.DurableDirectories;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.FileInfo;

/**
 * {@link VersionedDocument}s in one directory: one listing tells the newest version of each. Not
 * thread-safe; other processes may write the same documents.
 */
public final class DocumentFolder {
    private final FileStore files;
    private final String directory;

    /**
     * @param directory need not exist
     */
    public DocumentFolder(FileStore files, String directory) {
        this.files = files;
        this.directory = directory;
    }

    /** Makes the directory, durably, if it is not there. */
    public void make() throws IOException {
        DurableDirectories.create(files, directory);
    }

    /** Of each document the number of its newest version, by name. */
    public Map<String, Long> versions() throws IOException {
        Map<String, Long> newest = new TreeMap<>();
        if (files.stat(directory) == null) {
            return newest;
        }
        for (FileInfo file : files.list(directory)) {
            String entry = file.path().substring(file.path().lastIndexOf('/') + 1);
            VersionedDocument.parse(entry)
                    .ifPresent(found -> newest.merge(found.name(), found.number(), Math::max));
        }
        return newest;
    }

    /** As {@link VersionedDocument#read}; empty, too, if the directory is not there. */
    public Optional<VersionedDocument.Version> read(String name) throws IOException {
        return files.stat(directory) == null ? Optional.empty() : document(name).read();
    }

    /** As {@link VersionedDocument#write}. */
    public boolean write(String name, long expected, byte[] content) throws IOException {
        return document(name).write(expected, content);
    }

    /** Removes a document whose writer has ended. */
    public void remove(String name) throws IOException {
        for (FileInfo file : files.list(directory)) {
            String entry = file.path().substring(file.path().lastIndexOf('/') + 1);
            if (VersionedDocument.parse(entry).filter(f -> f.name().equals(name)).isPresent()) {
                files.delete(file.path());
            }
        }
        files.syncDirectory(directory);
    }

    private VersionedDocument document(String name) {
        return new VersionedDocument(files, directory, name);
    }
}
