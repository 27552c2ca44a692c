package photon.storage.tail;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import photon.storage.document.VersionedDocument;
import photon.storage.files.FileStore;

/**
 * Which positions of a checkpoint a person has reset, and how far the files had been read before:
 * the content of the versioned document {@code resets} beside the checkpoint. A checkpoint that was
 * reset to an earlier position no longer says what had been read, and a repair must know that
 * before it gives an event up (docs/protocol.md section 6). So the note is durable before the
 * checkpoint changes. Immutable.
 *
 * @param notes oldest first; the newest hundred
 * @param readBefore how far files had been read that were set back, and that the checkpoint has not
 *     passed again as far as is known
 */
public record ResetNotes(List<Note> notes, List<FilePosition> readBefore) {
    /** Of a checkpoint that nobody has reset. */
    public static final ResetNotes NONE = new ResetNotes(List.of(), List.of());

    private static final String DOCUMENT = "resets";
    private static final int NOTES_MAX = 100;

    private static final JsonMapper JSON =
            JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

    public ResetNotes {
        notes = List.copyOf(notes);
        readBefore = List.copyOf(readBefore);
    }

    /**
     * One reset, for people.
     *
     * @param atMillis by the clock of the machine where it was ordered, in milliseconds since 1970
     * @param actor who ordered it
     * @param to as it was ordered: earliest, latest or a time
     * @param files of which files; empty: of all
     * @param back how many files are read again
     * @param forward of how many files something is skipped
     */
    public record Note(
            long atMillis, String actor, String to, String files, int back, int forward) {}

    /**
     * What the checkpoint and these say together of how far files have ever been read. For those
     * who only read: read the checkpoint first, since notes are there before what they are about.
     */
    public Checkpoint withReadBefore(Checkpoint checkpoint) {
        List<FilePosition> further = notPassed(checkpoint.positions());
        if (further.isEmpty()) {
            return checkpoint;
        }
        List<FilePosition> all = new ArrayList<>(checkpoint.positions());
        all.addAll(further);
        return new Checkpoint(checkpoint.owner(), all, checkpoint.gone());
    }

    private List<FilePosition> notPassed(List<FilePosition> positions) {
        Map<String, Long> offsets = new HashMap<>();
        positions.forEach(p -> offsets.merge(p.key(), p.offset(), Math::max));
        return readBefore.stream()
                .filter(p -> offsets.getOrDefault(p.key(), -1L) < p.offset())
                .toList();
    }

    /**
     * With one more.
     *
     * @param positions of the checkpoint that is reset: what they have passed needs no note any
     *     more
     * @param setBack those of them that are set back
     */
    public ResetNotes with(Note note, List<FilePosition> positions, List<FilePosition> setBack) {
        List<Note> all = new ArrayList<>(notes);
        all.add(note);
        List<FilePosition> before = new ArrayList<>(notPassed(positions));
        before.addAll(setBack);
        return new ResetNotes(all.subList(Math.max(0, all.size() - NOTES_MAX), all.size()), before);
    }

    /**
     * Reads the document.
     *
     * @param directory of the dispatcher's checkpoint, which exists
     * @throws IOException if it cannot be read or made out: it is not taken for none
     */
    public static ResetNotes read(FileStore files, String directory) throws IOException {
        return decode(document(files, directory).read(), directory);
    }

    /**
     * Adds to the document, as {@link #with}. Durable on return.
     *
     * @throws IOException also if somebody else writes it at the same time
     */
    public static void add(
            FileStore files,
            String directory,
            Note note,
            List<FilePosition> positions,
            List<FilePosition> setBack)
            throws IOException {
        VersionedDocument document = document(files, directory);
        Optional<VersionedDocument.Version> version = document.read();
        byte[] next =
                JSON.writeValueAsBytes(decode(version, directory).with(note, positions, setBack));
        if (!document.write(version.map(VersionedDocument.Version::number).orElse(0L), next)) {
            throw new IOException(
                    "Expected nobody else to reset the checkpoint in %s at the same time, but somebody did"
                            .formatted(directory));
        }
    }

    private static VersionedDocument document(FileStore files, String directory) {
        return new VersionedDocument(files, directory, DOCUMENT);
    }

    private static ResetNotes decode(Optional<VersionedDocument.Version> version, String directory)
            throws IOException {
        if (version.isEmpty()) {
            return NONE;
        }
        try {
            return JSON.readValue(version.get().content(), ResetNotes.class);
        } catch (JacksonException | NullPointerException e) {
            throw new IOException("Expected notes of resets in " + directory, e);
        }
    }
}
