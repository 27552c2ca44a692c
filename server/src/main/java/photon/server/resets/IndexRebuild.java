package photon.server.resets;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import photon.core.config.DeploymentConfig;
import photon.core.config.StreamConfig;
import photon.core.error.FailedException;
import photon.eventstore.index.IndexDirectory;
import photon.eventstore.index.IndexLimits;
import photon.server.datacenters.DatacenterPaths;
import photon.server.lifecycle.StateLock;
import photon.server.roles.DaemonInstance;
import photon.server.roles.DaemonRun;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.FileInfo;
import photon.storage.files.Globs;
import photon.storage.files.StreamFiles;

/**
 * Drops the index of an event store that is stopped, so that its next start builds it anew from the
 * logs. The store cannot start as long as this is open.
 */
public final class IndexRebuild implements AutoCloseable {
    private final FileStore files;
    private final StreamConfig primary;
    private final String store;
    private final String directory;
    private final IndexDirectory index;
    private final StateLock lock;

    private IndexRebuild(
            FileStore files, StreamConfig primary, String store, String directory, StateLock lock) {
        this.files = files;
        this.primary = primary;
        this.store = store;
        this.directory = directory;
        this.index = new IndexDirectory(files, directory, IndexLimits.DEFAULTS);
        this.lock = lock;
    }

    /**
     * What would be done.
     *
     * @param index its directory
     * @param indexBytes 0: there is none
     * @param logs primary logs that are there now
     * @param missing directories of {@code primary.paths} that are not there
     */
    public record Plan(
            String store,
            String index,
            long indexBytes,
            int logs,
            long logBytes,
            List<String> missing) {
        public Plan {
            missing = List.copyOf(missing);
        }

        public boolean changesNothing() {
            return indexBytes == 0;
        }
    }

    /**
     * @param name of the store; empty: the one that is meant where none is named
     * @throws FailedException if the store works
     * @throws photon.core.error.ConfigException if there is no such store
     */
    public static IndexRebuild open(
            FileStore files, StreamConfig primary, DeploymentConfig deployment, String name)
            throws IOException {
        DaemonInstance instance = DaemonInstance.of(DaemonRun.Role.EVENTSTORE, name, deployment);
        String store = instance.eventStore(deployment).name();
        String directory =
                DatacenterPaths.of(deployment.datacenter(), deployment).eventStore(store);
        Path lock = instance.lock(deployment);
        if (StateLock.isTaken(lock)) {
            throw new FailedException(
                    "not rebuilt: the event store %s works with %s: stop it first"
                            .formatted(store, directory));
        }
        return new IndexRebuild(
                files, primary, store, directory, StateLock.take(lock, "event store's lock"));
    }

    public Plan plan() throws IOException {
        Collection<FileInfo> logs = StreamFiles.now(files, primary);
        return new Plan(
                store,
                directory + "/index",
                index.bytes(),
                logs.size(),
                logs.stream().mapToLong(FileInfo::length).sum(),
                Globs.missingDirectories(files, primary.paths()));
    }

    /** What was half done is done by the next start, or by another call. */
    public void apply() throws IOException {
        index.drop();
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
