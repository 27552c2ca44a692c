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

/** The files of a tail that are open: about so many at most. Not thread-safe. */
final class OpenFiles {
    private static final Logger log = LoggerFactory.getLogger(OpenFiles.class);

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
     * Closes the file that was idle the longest if too many are open; false: none is idle.
     *
     * @param backlogged for a file with a backlog: a quarter of the places is left for others,
     *     since a compressed file keeps its place for as long as its backlog lasts. When the other
     *     places are taken, it has that of another file with a backlog, or none
     */
    boolean makeRoom(boolean backlogged) {
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
