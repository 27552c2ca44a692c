package photon.storage.tail;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import photon.storage.document.VersionedDocument;
import photon.storage.files.FileStore;

/**
 * Earlier checkpoints of a dispatcher with the time by which each was reached: the content of its
 * versioned document {@code history}. It tells a reader who looks for an event of a certain time
 * where to start; nothing else is decided by it. The older, the fewer: the distance of two that are
 * kept grows with their age, so that some dozens reach back for weeks. Immutable.
 */
public final class CheckpointHistory {
    /** Of a dispatcher that has written none. */
    public static final CheckpointHistory EMPTY = new CheckpointHistory(List.of());

    /** The least distance of two entries, in milliseconds. */
    public static final long DISTANCE_MILLIS = 10_000;

    private static final String NAME = "history";

    /** An entry goes when those beside it are no further apart than their age divided by this. */
    private static final long AGE_PER_DISTANCE = 4;

    private static final int ENTRIES_MAX = 100;

    /** Of all entries together: bounds the document to some 3 MB. */
    private static final int POSITIONS_MAX = 200_000;

    private static final JsonMapper JSON =
            JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

    private final List<Entry> entries;

    private CheckpointHistory(List<Entry> entries) {
        this.entries = List.copyOf(entries);
    }

    /**
     * One checkpoint.
     *
     * @param atMillis by when the files were done that far and no further, in milliseconds since
     *     1970 by the dispatcher's clock
     */
    public record Entry(long atMillis, List<FilePosition> positions) {
        public Entry {
            positions = List.copyOf(positions);
        }
    }

    /** In order of time. */
    public List<Entry> entries() {
        return entries;
    }

    /** With one more. Entries of a time to come go: a clock was ahead that wrote them. */
    public CheckpointHistory with(Entry entry) {
        List<Entry> all = new ArrayList<>();
        for (Entry before : entries) {
            if (before.atMillis() < entry.atMillis()) {
                all.add(before);
            }
        }
        all.add(entry);
        for (int i = all.size() - 2; i > 0; i--) {
            long distance = all.get(i + 1).atMillis() - all.get(i - 1).atMillis();
            long age = entry.atMillis() - all.get(i + 1).atMillis();
            if (distance <= age / AGE_PER_DISTANCE) {
                all.remove(i);
            }
        }
        while (all.size() > 1 && (all.size() > ENTRIES_MAX || positions(all) > POSITIONS_MAX)) {
            all.remove(0);
        }
        return new CheckpointHistory(all);
    }

    private static long positions(List<Entry> entries) {
        return entries.stream().mapToLong(entry -> entry.positions().size()).sum();
    }

    /** The newest entry at or before this time. */
    public Optional<Entry> before(long millis) {
        for (int i = entries.size() - 1; i >= 0; i--) {
            if (entries.get(i).atMillis() <= millis) {
                return Optional.of(entries.get(i));
            }
        }
        return Optional.empty();
    }

    /**
     * Reads the document; one that cannot be made out is as good as none.
     *
     * @param directory of the dispatcher's checkpoint
     */
    public static CheckpointHistory read(FileStore files, String directory) throws IOException {
        if (files.stat(directory) == null) {
            return EMPTY;
        }
        return decode(new VersionedDocument(files, directory, NAME).read());
    }

    /**
     * Adds an entry to the document; another writer's is not overwritten, and no harm comes of one
     * that is missing.
     *
     * @param directory as above, which exists
     */
    public static void add(FileStore files, String directory, Entry entry) throws IOException {
        VersionedDocument document = new VersionedDocument(files, directory, NAME);
        Optional<VersionedDocument.Version> version = document.read();
        CheckpointHistory next = decode(version).with(entry);
        document.write(version.map(VersionedDocument.Version::number).orElse(0L), next.encode());
    }

    private static CheckpointHistory decode(Optional<VersionedDocument.Version> version) {
        try {
            return version.isEmpty() ? EMPTY : decode(version.get().content());
        } catch (IOException | IndexOutOfBoundsException e) {
            return EMPTY;
        }
    }

    /** Each file once, and its offsets by entry. */
    private record Stored(List<FilePosition> files, List<StoredEntry> entries) {}

    /**
     * @param files numbers of files
     * @param offsets of each
     */
    private record StoredEntry(long atMillis, int[] files, long[] offsets) {}

    byte[] encode() {
        Map<FilePosition, Integer> numbers = new HashMap<>();
        List<FilePosition> files = new ArrayList<>();
        List<StoredEntry> stored = new ArrayList<>();
        for (Entry entry : entries) {
            int[] of = new int[entry.positions().size()];
            long[] offsets = new long[of.length];
            for (int i = 0; i < of.length; i++) {
                FilePosition position = entry.positions().get(i);
                FilePosition file = at(position, 0).modifiedAt(0);
                Integer number = numbers.putIfAbsent(file, files.size());
                if (number == null) {
                    number = files.size();
                    files.add(file);
                }
                of[i] = number;
                offsets[i] = position.offset();
            }
            stored.add(new StoredEntry(entry.atMillis(), of, offsets));
        }
        try {
            return JSON.writeValueAsBytes(new Stored(files, stored));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static CheckpointHistory decode(byte[] json) throws IOException {
        Stored stored = JSON.readValue(json, Stored.class);
        List<Entry> entries = new ArrayList<>();
        for (StoredEntry entry : stored.entries()) {
            List<FilePosition> positions = new ArrayList<>();
            for (int i = 0; i < entry.files().length; i++) {
                positions.add(at(stored.files().get(entry.files()[i]), entry.offsets()[i]));
            }
            entries.add(new Entry(entry.atMillis(), positions));
        }
        return new CheckpointHistory(entries);
    }

    private static FilePosition at(FilePosition file, long offset) {
        return new FilePosition(
                file.path(), file.key(), file.prefixLength(), file.prefixHash(), offset);
    }
}
