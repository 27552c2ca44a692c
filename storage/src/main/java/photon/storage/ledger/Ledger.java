package photon.storage.ledger;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import photon.storage.files.DurableDirectories;
import photon.storage.files.FileStore;

/**
 * An append-only log of {@link LedgerEntry}s in a directory of its own, as JSON lines with a
 * checksum each, in segments. Not thread-safe: one loop owns it.
 *
 * <p>What is appended between two syncs is a batch, written at once; a crash can tear the last
 * batch of a segment and nothing before it. After any failure it may only be closed, and whether
 * the last batch is durable is not known.
 */
public final class Ledger implements AutoCloseable {
    /** A segment that is larger is followed by a new one. */
    static final long SEGMENT_BYTES_MAX = 16L << 20;

    private static final Pattern SEGMENT = Pattern.compile("ledger-(\\d{10})\\.jsonl");

    private final FileStore files;
    private final String directory;
    private final long segmentBytesMax;
    private final ByteArrayOutputStream batch = new ByteArrayOutputStream();
    private long nextSegment;
    private FileStore.@Nullable AppendFile segment;
    private long segmentEntries;
    private long batchEntries;
    private boolean broken;

    private Ledger(FileStore files, String directory, long segmentBytesMax, long nextSegment) {
        this.files = files;
        this.directory = directory;
        this.segmentBytesMax = segmentBytesMax;
        this.nextSegment = nextSegment;
    }

    /**
     * Opens for appending, in a new segment (made when the first entries come); earlier segments
     * stay. Makes the directory if need be.
     */
    public static Ledger open(FileStore files, String directory) throws IOException {
        return open(files, directory, SEGMENT_BYTES_MAX);
    }

    static Ledger open(FileStore files, String directory, long segmentBytesMax) throws IOException {
        DurableDirectories.create(files, directory);
        List<String> segments = segments(files, directory);
        long last = segments.isEmpty() ? 0 : number(segments.get(segments.size() - 1));
        return new Ledger(files, directory, segmentBytesMax, last + 1);
    }

    /** Written by the next {@link #sync}. */
    public void append(LedgerEntry entry) {
        byte[] line = new LedgerLine(entry, segmentEntries).encode();
        batch.write(line, 0, line.length);
        batchEntries++;
    }

    /** All that was appended is durable. Cheap when nothing was. */
    public void sync() throws IOException {
        if (batch.size() == 0) {
            return;
        }
        if (broken) {
            throw new IOException(
                    "The ledger in %s has failed before: it is to be opened anew"
                            .formatted(directory));
        }
        broken = true;
        writeBatch();
        broken = false;
    }

    private void writeBatch() throws IOException {
        if (segment == null) {
            segment = files.create(directory + "/ledger-%010d.jsonl".formatted(nextSegment++));
            files.syncDirectory(directory);
        }
        byte[] bytes = batch.toByteArray();
        segment.write(bytes, 0, bytes.length);
        segment.sync();
        batch.reset();
        segmentEntries += batchEntries;
        batchEntries = 0;
        if (segment.position() >= segmentBytesMax) {
            segment.close();
            segment = null;
            segmentEntries = 0;
        }
    }

    /** Syncs what was appended, unless it has failed before. */
    @Override
    public void close() throws IOException {
        try {
            if (!broken) {
                sync();
            }
        } finally {
            if (segment != null) {
                segment.close();
                segment = null;
            }
        }
    }

    /**
     * Every whole entry of the ledger in this directory, in order of writing; nothing if it does
     * not exist. An entry may stand there twice, where a crash came between it and the checkpoint.
     * What can be read need not be durable: its writer may have died before the sync.
     *
     * @throws IOException if it cannot be read, or is damaged where no crash can have torn it
     */
    public static void forEach(FileStore files, String directory, Consumer<LedgerEntry> entries)
            throws IOException {
        for (String path : segments(files, directory)) {
            new LedgerSegment(files, path).forEach(entries);
        }
    }

    private static List<String> segments(FileStore files, String directory) throws IOException {
        return files.list(directory).stream()
                .map(FileStore.FileInfo::path)
                .filter(path -> SEGMENT.matcher(name(path)).matches())
                .sorted()
                .toList();
    }

    private static long number(String path) {
        Matcher matcher = SEGMENT.matcher(name(path));
        return matcher.matches() ? Long.parseLong(matcher.group(1)) : 0;
    }

    private static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
