package photon.storage.ledger;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import photon.storage.files.DurableDirectories;
import photon.storage.files.FileStore;

/**
 * An append-only log of {@link LedgerEntry}s in a directory of its own, as JSON lines with a
 * checksum each, in segments. Not thread-safe: one loop owns it.
 *
 * <p>What is appended between two syncs is a batch, written at once; a crash can tear the last
 * batch of a segment and nothing before it. After any failure it may only be closed, and whether
 * the last batch is durable is not known. {@link LedgerRetention} takes old segments away.
 */
public final class Ledger implements AutoCloseable {
    /** A segment that is larger is followed by a new one. */
    static final long SEGMENT_BYTES_MAX = 4L << 20;

    private final FileStore files;
    private final LedgerDirectory names;
    private final long segmentBytesMax;
    private final List<LedgerEntry> batch = new ArrayList<>();

    /** The open segment's, or the next one's if none is open. */
    private long number;

    private FileStore.@Nullable AppendFile segment;
    private long segmentEntries;
    private boolean broken;

    private Ledger(FileStore files, String directory, long segmentBytesMax, long nextSegment) {
        this.files = files;
        this.names = new LedgerDirectory(files, directory);
        this.segmentBytesMax = segmentBytesMax;
        this.number = nextSegment;
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
        LedgerDirectory names = new LedgerDirectory(files, directory);
        EndedEntries ended = names.ended();
        long last = ended.lastSegment();
        for (LedgerDirectory.Segment segment : names.segments(ended)) {
            last = Math.max(last, segment.number());
        }
        return new Ledger(files, directory, segmentBytesMax, last + 1);
    }

    /** Written by the next {@link #sync}. */
    public void append(LedgerEntry entry) {
        batch.add(entry);
    }

    /** All that was appended is durable. Cheap when nothing was. */
    public void sync() throws IOException {
        if (batch.isEmpty()) {
            return;
        }
        if (broken) {
            throw new IOException(
                    "The ledger in %s has failed before: it is to be opened anew"
                            .formatted(names.path()));
        }
        broken = true;
        writeBatch();
        broken = false;
    }

    private void writeBatch() throws IOException {
        do {
            while (segment == null) {
                create();
            }
            ByteArrayOutputStream lines = new ByteArrayOutputStream();
            for (LedgerEntry entry : batch) {
                lines.writeBytes(new LedgerLine(entry, segmentEntries).encode());
            }
            byte[] bytes = lines.toByteArray();
            segment.write(bytes, 0, bytes.length);
            segment.sync();
            segmentEntries += batch.size();
        } while (!staysOpen());
        batch.clear();
    }

    /** Only one whose number never ended counts: another writer may have used ours meanwhile. */
    private void create() throws IOException {
        FileStore.AppendFile made;
        try {
            made = files.create(names.segment(number));
        } catch (FileAlreadyExistsException e) {
            number++; // another writer's, which was there first
            return;
        }
        files.syncDirectory(names.path());
        long ended = names.ended().lastSegment();
        if (ended < number) {
            segment = made;
        } else {
            made.close();
            number = ended + 1;
        }
    }

    /** False: retention has taken the segment away, so what was written last may be nowhere. */
    private boolean staysOpen() throws IOException {
        FileStore.AppendFile written = Objects.requireNonNull(segment);
        boolean stands = files.stat(names.segment(number)) != null;
        if (!stands || written.position() >= segmentBytesMax) {
            written.close();
            segment = null;
            segmentEntries = 0;
            number++;
        }
        return stands;
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
        LedgerDirectory names = new LedgerDirectory(files, directory);
        for (LedgerDirectory.Segment segment : names.segments(names.ended())) {
            Optional<LedgerSegment> read = LedgerSegment.read(files, segment.file().path());
            if (read.isEmpty()) { // it was given its other name behind the listing, or has ended
                read = LedgerSegment.read(files, names.leaving(segment.number()));
            }
            if (read.isPresent()) {
                read.get().forEach(entries);
            }
        }
    }

    /** What retention has taken from the ledger in this directory. */
    public static EndedEntries ended(FileStore files, String directory) throws IOException {
        return new LedgerDirectory(files, directory).ended();
    }
}
