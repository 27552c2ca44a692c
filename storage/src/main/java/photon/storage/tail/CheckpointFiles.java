package photon.storage.tail;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import photon.storage.document.VersionedDocument;
import photon.storage.files.FileStore;

/**
 * A checkpoint as it lies on disk: the versioned document {@code checkpoint}, which is small, and
 * beside it the file that the document names, {@code positions-OWNER-NUMBER}, with the positions of
 * all files as they stood when it was written. The document holds those that have moved since. So a
 * tick costs what moved, not what there is.
 *
 * <p>A file of positions is durable before a document names it, never changes, and stays until the
 * second one after it is named, since a document whose newest version is damaged is read in the
 * version before. Not thread-safe.
 */
public final class CheckpointFiles {
    /** Name of the versioned document. */
    public static final String DOCUMENT = "checkpoint";

    private static final Pattern NAME = Pattern.compile("positions-(\\d{10})-(\\d{10})");
    private static final int READ_TRIES_MAX = 10;

    // What a later version adds is not ours to refuse.
    private static final JsonMapper JSON =
            JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

    private final FileStore files;
    private final String directory;
    private List<FilePosition> moved = List.of();
    private GoneFiles gone = GoneFiles.NONE;
    private String whole = "";
    private String wholeBefore = "";
    private long number;

    /**
     * @param directory of the versioned document
     */
    public CheckpointFiles(FileStore files, String directory) {
        this.files = files;
        this.directory = directory;
    }

    /**
     * The document's content, for people too.
     *
     * @param whole name of the file with all other positions; empty: there are none
     */
    private record Content(
            long owner, String whole, @Nullable GoneFiles gone, List<FilePosition> positions) {}

    /**
     * What the next version says.
     *
     * @param moved positions that differ from those in the file of all positions
     * @param whole all positions, to be written into a new such file; null: the present one stands
     */
    public record Change(
            List<FilePosition> moved, @Nullable List<FilePosition> whole, GoneFiles gone) {}

    /**
     * Reads a dispatcher's checkpoint, also while it writes on; empty: there is none.
     *
     * @throws IOException if it cannot be read, or is damaged
     */
    public static Optional<Checkpoint> read(FileStore files, String directory) throws IOException {
        if (files.stat(directory) == null) {
            return Optional.empty();
        }
        VersionedDocument document = new VersionedDocument(files, directory, DOCUMENT);
        for (int i = 0; ; i++) {
            Optional<VersionedDocument.Version> version = document.read();
            if (version.isEmpty()) {
                return Optional.empty();
            }
            try {
                byte[] content = version.get().content();
                return Optional.of(new CheckpointFiles(files, directory).resume(content));
            } catch (NoSuchFileException e) {
                if (i == READ_TRIES_MAX || document.isNewest(version.get().number())) {
                    throw e;
                } // Else it was removed behind a newer one while we looked.
            }
        }
    }

    /**
     * What a version of the document says; {@link #write} goes on from it.
     *
     * @throws NoSuchFileException if the file of all positions is not there
     * @throws IOException if it is damaged
     */
    public Checkpoint resume(byte[] content) throws IOException {
        Content read;
        try {
            read = JSON.readValue(content, Content.class);
        } catch (com.fasterxml.jackson.core.JacksonException e) {
            throw new IOException("Expected a checkpoint in " + directory, e);
        }
        Map<String, FilePosition> positions = new LinkedHashMap<>();
        if (!read.whole().isEmpty()) {
            for (FilePosition position :
                    PositionsCodec.read(files, directory + "/" + read.whole())) {
                positions.put(position.key(), position);
            }
        }
        read.positions().forEach(position -> positions.put(position.key(), position));
        whole = read.whole();
        moved = read.positions();
        gone = read.gone() == null ? GoneFiles.NONE : read.gone();
        return new Checkpoint(read.owner(), List.copyOf(positions.values()), gone);
    }

    /** What was resumed, under this owner. */
    public byte[] claim(long owner) {
        return content(owner, whole, new Change(moved, null, gone));
    }

    /**
     * The document's content for a new version. A file of all positions that it names is durable
     * then.
     */
    public byte[] write(long owner, Change change) throws IOException {
        List<FilePosition> all = change.whole();
        if (all != null) {
            String name = "positions-%010d-%010d".formatted(owner, ++number);
            PositionsCodec.write(files, directory + "/" + name, all);
            files.syncDirectory(directory);
            wholeBefore = whole;
            whole = name;
        }
        return content(owner, whole, change);
    }

    /**
     * The version of {@link #write} is durable: what it and the version before do not name is
     * removed, unless a later owner has made it.
     */
    public void written(long owner, Change change) throws IOException {
        if (change.whole() == null) {
            return;
        }
        for (FileStore.FileInfo file : files.list(directory)) {
            String name = file.path().substring(file.path().lastIndexOf('/') + 1);
            Matcher matcher = NAME.matcher(name);
            if (matcher.matches()
                    && Long.parseLong(matcher.group(1)) <= owner
                    && !name.equals(whole)
                    && !name.equals(wholeBefore)) {
                files.delete(file.path());
            }
        }
    }

    /** A document that needs no file beside it. */
    public static byte[] content(Checkpoint checkpoint) {
        Change change = new Change(checkpoint.positions(), null, checkpoint.gone());
        return content(checkpoint.owner(), "", change);
    }

    private static byte[] content(long owner, String whole, Change change) {
        try {
            return JSON.writeValueAsBytes(new Content(owner, whole, change.gone(), change.moved()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
