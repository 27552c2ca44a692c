package photon.storage.tail;

import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.config.InputConfig.OpenMembers;
import photon.storage.files.FileStore;

/**
 * The open files of a tail. Their number has a bound. Fewer are open if they are zstd files with
 * large windows, each of which takes as much memory outside of the heap. Not thread-safe.
 */
final class OpenFiles {
    private static final Logger log = LoggerFactory.getLogger(OpenFiles.class);

    /** For windows, per file that may be open: as much as a usual compressor asks for, twice. */
    static final long WINDOW_BYTES_PER_FILE = 4 << 20;

    private final FileStore files;
    private final OpenMembers openMembers;
    private final int filesMax;

    /** The one whose last turn was first comes first. */
    private final LinkedHashSet<TailedFile> open = new LinkedHashSet<>();

    OpenFiles(FileStore files, OpenMembers openMembers, int filesMax) {
        this.files = files;
        this.openMembers = openMembers;
        this.filesMax = filesMax;
    }

    /**
     * What is open, or is opened now; null: what stands at the path now is another file, or too
     * short to tell what it is.
     *
     * @throws ReplacedException if it is not what was read before
     */
    @Nullable OpenFile forTurn(TailedFile file) throws IOException, ReplacedException {
        if (file.open == null) {
            file.open = FileOpening.open(files, file, openMembers);
        }
        if (file.open != null) {
            open.remove(file);
            open.add(file);
        }
        return file.open;
    }

    void forEach(Consumer<TailedFile> each) {
        open.forEach(each);
    }

    /**
     * Closes files that were idle the longest if too many are open for the next one; false: too few
     * are idle. For a file with a backlog a quarter of the places is left for others, since a
     * compressed file keeps its place for as long as its backlog lasts. When the other places are
     * taken, it has that of another file with a backlog, or none.
     */
    boolean makeRoom(TailedFile next) {
        return makeRoomForWindow(next) && makePlace(next.backlogged);
    }

    private boolean makeRoomForWindow(TailedFile next) {
        if (windowFits(next)) {
            return true;
        }
        List<TailedFile> idle =
                open.stream().filter(file -> file.windowBytes > 0 && !file.queued).toList();
        for (TailedFile file : idle) {
            close(file);
            if (windowFits(next)) {
                return true;
            }
        }
        return false;
    }

    /** Whether it may be open with those that are; one window alone may always be. */
    private boolean windowFits(TailedFile next) {
        long all = 0;
        long backlog = 0;
        for (TailedFile file : open) {
            if (file != next) {
                all += file.windowBytes;
                backlog += file.backlogged ? file.windowBytes : 0;
            }
        }
        long max = WINDOW_BYTES_PER_FILE * filesMax;
        return next.windowBytes == 0
                || all == 0
                || (all + next.windowBytes <= max
                        && (!next.backlogged || backlog + next.windowBytes <= max - max / 4));
    }

    /**
     * After a turn, which has shown how large the file's window is: if that is too much, the file
     * waits until there is room. It has only just begun the frame, so that little is read again.
     */
    void closeIfTooLarge(TailedFile file) {
        if (file.open != null && file.open.windowBytes() > file.windowBytes) {
            file.windowBytes = file.open.windowBytes();
            if (!windowFits(file)) {
                close(file);
            }
        }
    }

    private boolean makePlace(boolean backlogged) {
        boolean placesTaken =
                backlogged
                        && open.stream().filter(file -> file.backlogged).count()
                                >= filesMax - filesMax / 4;
        if (!placesTaken && open.size() < filesMax) {
            return true;
        }
        for (TailedFile file : open) {
            if ((file.backlogged || !placesTaken)
                    && (file.open == null || file.open.plain() || !file.queued)) {
                close(file);
                return true;
            }
        }
        return false;
    }

    void close(TailedFile file) {
        open.remove(file);
        OpenFile closing = file.open;
        file.open = null;
        if (closing != null) {
            if (file.compressed) {
                file.boundary = closing.boundary();
            }
            try {
                closing.close();
            } catch (IOException e) {
                log.warn("{} could not be closed", file.path, e);
            }
        }
    }

    void closeAll() {
        List.copyOf(open).forEach(this::close);
    }
}
