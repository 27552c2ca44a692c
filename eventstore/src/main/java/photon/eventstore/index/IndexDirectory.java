package photon.eventstore.index;

import java.io.IOException;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.config.StreamConfig;
import photon.core.share.StoreShare;
import photon.storage.files.FileStore;

/**
 * Where the index on disk stands, and what happens when it cannot be used: it is derived data, so a
 * damaged one is moved aside and one of another format or of other settings is dropped, both
 * loudly, and the logs are read again from their start. So is one of a smaller share. A directory
 * that holds other files, too, is moved aside instead of being dropped. One process at a time: the
 * lock of the state directory sees to that.
 */
public final class IndexDirectory {
    private static final Logger log = LoggerFactory.getLogger(IndexDirectory.class);

    private final FileStore files;
    private final String state;
    private final IndexLimits limits;

    /**
     * @param stateDirectory on this machine; must exist
     */
    public IndexDirectory(FileStore files, String stateDirectory, IndexLimits limits) {
        this.files = files;
        this.state = stateDirectory;
        this.limits = limits;
    }

    private String index() {
        return state + "/index";
    }

    private String aside() {
        return state + "/index.corrupt";
    }

    private String dropped() {
        return state + "/index.dropped";
    }

    private String mark() {
        return state + "/index.is-corrupt";
    }

    /**
     * The index of this stream's primary events.
     *
     * @param share which of them it is to hold; an index of less is built anew
     * @param background where sealed parts are written; closed after the index
     * @throws LogIndexException if it cannot be opened for another reason than its content: no
     *     permission, disk full
     */
    public FileLogIndex open(StreamConfig stream, StoreShare share, Executor background) {
        return open(IndexKeys.of(stream.id()), IndexSettings.of(stream, share), background);
    }

    /**
     * @param settings what decides which records the index holds
     */
    FileLogIndex open(IndexKeys keys, String settings, Executor background) {
        try {
            files.delete(dropped());
            if (files.stat(mark()) != null) {
                moveAside("it was found damaged while it was read");
            }
            return openUsable(keys, settings, background);
        } catch (IOException e) {
            throw new LogIndexException(
                    "Cannot open the log index in " + state + ": " + e.getMessage(), e);
        }
    }

    /** Of the index's files; 0: there is none. */
    public long bytes() throws IOException {
        return files.stat(index()) == null
                ? 0
                : files.list(index()).stream().mapToLong(FileStore.FileInfo::length).sum();
    }

    /** The next that opens it builds it anew from the logs. Nobody has it open. */
    public void drop() throws IOException {
        files.delete(dropped());
        if (files.stat(index()) != null) {
            moveTo(holdsOthers() ? freeForOthers() : dropped());
        }
    }

    private FileLogIndex openUsable(IndexKeys keys, String settings, Executor background)
            throws IOException {
        try {
            return openThere(keys, settings, background);
        } catch (OtherIndexException e) {
            drop(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            if (!IndexDamage.isOfSegments(e)) {
                throw e;
            }
            moveAside(String.valueOf(e.getMessage()));
        }
        return openThere(keys, settings, background);
    }

    private FileLogIndex openThere(IndexKeys keys, String settings, Executor background)
            throws IOException {
        return new FileLogIndex(
                new FilePool(files, limits.openFilesMax()),
                index(),
                keys,
                settings,
                limits,
                background,
                this::markDamaged);
    }

    /** Drops the index; its directory is kept if it holds anything else. */
    private void drop(String why) throws IOException {
        boolean holdsOthers = holdsOthers();
        String to = holdsOthers ? freeForOthers() : dropped();
        log.warn(
                "The log index in {} is built anew from the logs, which are read from their start."
                        + " Reason: {}.{}",
                index(),
                why,
                holdsOthers ? " All that is there is moved to " + to : "");
        moveTo(to);
    }

    private boolean holdsOthers() throws IOException {
        return files.list(index()).stream()
                .anyMatch(file -> !IndexNames.isOfIndex(IndexNames.of(file.path())));
    }

    /** Renamed, also to be deleted: a half-deleted index must not be opened as a whole one. */
    private void moveTo(String to) throws IOException {
        files.rename(index(), to);
        files.syncDirectory(state);
        files.delete(dropped());
    }

    private String freeForOthers() throws IOException {
        String others = state + "/index.other";
        String free = others;
        for (int i = 2; files.stat(free) != null; i++) {
            free = others + "." + i;
        }
        return free;
    }

    /** The process is about to stop; its next start will rebuild. */
    private void markDamaged() {
        try {
            if (files.stat(mark()) == null) {
                files.create(mark()).close();
                files.syncDirectory(state);
            }
        } catch (IOException e) {
            log.error("Cannot mark the log index in {} as damaged", state, e);
        }
    }

    /** Keeps the newest damaged index for a person who wants to know why. */
    private void moveAside(String why) throws IOException {
        log.error(
                "The log index in {} is damaged and is moved to {}; it is built anew from the logs,"
                        + " which are read from their start. Reason: {}",
                index(),
                aside(),
                why);
        files.delete(aside());
        if (files.stat(index()) != null) {
            files.rename(index(), aside());
        }
        files.delete(mark());
        files.syncDirectory(state);
    }
}
