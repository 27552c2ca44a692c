package photon.storage.journal;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import photon.storage.document.VersionedDocument;
import photon.storage.files.FileStore;

/**
 * The segments of an open journal, oldest first, the last one being written, and the manifest that
 * names them. Claims the journal when made: from then on nothing that an earlier owner still
 * appends is read (docs/protocol.md section 7).
 */
final class SegmentLog implements AutoCloseable {
    private static final Pattern NAME = Pattern.compile("journal-(\\d{10})-(\\d{10})\\.seg");

    private final FileStore files;
    private final String directory;
    private final VersionedDocument manifest;
    private final ArrayDeque<SegmentState> segments = new ArrayDeque<>();
    private final long owner;
    private long manifestVersion;

    /** Of the newest segment ever named: numbers only grow, also over segments that are dropped. */
    private long lastNumber;

    private FileStore.@Nullable AppendFile writing;

    SegmentLog(
            FileStore files,
            String directory,
            long owner,
            VersionedDocument manifest,
            JournalRecovery recovered)
            throws IOException {
        refuseLateClaim(directory, owner, recovered.owner);
        this.files = files;
        this.directory = directory;
        this.manifest = manifest;
        this.manifestVersion = recovered.manifestVersion;
        this.owner = owner;
        for (SegmentState segment : recovered.segments) {
            lastNumber = Math.max(lastNumber, segment.number);
            if (segment.bytes > 0) {
                segments.add(segment);
            }
        }
        refuseToForget(recovered);
        createNext();
        if (recovered.carry().length > 0) {
            append(recovered.carry());
        }
        writeManifest();
        deleteStrangers();
    }

    /** An owner that stalled on its way here must not take the journal from one that came later. */
    private static void refuseLateClaim(String directory, long owner, long standing)
            throws IOException {
        if (owner <= standing) {
            throw new IOException(
                    "The retry journal in %s belongs to owner %d by now: owner %d comes too late"
                            .formatted(directory, standing, owner));
        }
    }

    /** Also of those that made a segment and did not come to name it. */
    static long lastOwner(FileStore files, String directory, VersionedDocument manifest)
            throws IOException {
        Optional<VersionedDocument.Version> version = manifest.read();
        long last =
                version.isPresent() ? JournalManifest.decode(version.get().content()).owner() : 0;
        for (FileStore.FileInfo file : files.list(directory)) {
            last = Math.max(last, ownerOf(file.path()));
        }
        return last;
    }

    /**
     * A manifest is older than the segments if its newest version was damaged and the one before
     * was read. A crash leaves at most an unnamed segment that is empty, or that holds one carried
     * frame; more in it was written under a manifest that we do not see.
     */
    private void refuseToForget(JournalRecovery recovered) throws IOException {
        for (FileStore.FileInfo file : files.list(directory)) {
            Matcher matcher = NAME.matcher(lastName(file.path()));
            if (!matcher.matches() || Long.parseLong(matcher.group(2)) <= lastNumber) {
                continue;
            }
            boolean ofLastOwner = Long.parseLong(matcher.group(1)) <= recovered.owner;
            int frames = JournalSegmentReader.frames(files, file.path());
            boolean named = recovered.segments.stream().anyMatch(s -> s.path().equals(file.path()));
            if (!named && frames > (ofLastOwner ? 0 : 1)) {
                if (!manifest.isNewest(manifestVersion)) {
                    throw claimedByAnother(); // an owner that works on, or a later one
                }
                throw new IOException(
                        "Expected the retry journal's manifest in %s to name %s, but it is older: its newest version is damaged"
                                .formatted(directory, file.path()));
            }
        }
    }

    private static String lastName(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** Where the next frame's content will stand. */
    int nextContentAt() {
        return Math.toIntExact(current().bytes) + BatchFrame.HEADER_BYTES;
    }

    SegmentState current() {
        return segments.getLast();
    }

    /** Writes a frame and syncs it. After an exception the log may only be closed. */
    void append(byte[] content) throws IOException {
        FileStore.AppendFile file = open();
        byte[] header = BatchFrame.header(current().bytes, content, content.length);
        file.write(header, 0, header.length);
        file.write(content, 0, content.length);
        file.sync();
        current().bytes += header.length + content.length;
    }

    private FileStore.AppendFile open() throws IOException {
        FileStore.AppendFile file = writing;
        if (file == null) {
            throw new IOException("The retry journal in " + directory + " is closed");
        }
        return file;
    }

    /** Seals the segment that is written and begins a new one. */
    void roll() throws IOException {
        if (writing != null) {
            writing.close();
            writing = null;
        }
        createNext();
        writeManifest();
    }

    private void createNext() throws IOException {
        long number = ++lastNumber;
        String name = "journal-%010d-%010d.seg".formatted(owner, number);
        SegmentState next = new SegmentState(files, directory, number, name);
        writing = files.create(next.path());
        files.syncDirectory(directory);
        segments.add(next);
    }

    /** The oldest segment if it is sealed; null if there is only the one being written. */
    @Nullable SegmentState oldestSealed() {
        return segments.size() > 1 ? segments.getFirst() : null;
    }

    /** Forgets the oldest segment: nothing in it is of use any more. */
    void dropOldest() throws IOException {
        SegmentState oldest = segments.removeFirst();
        writeManifest();
        oldest.close();
        files.delete(oldest.path());
    }

    long bytes() {
        return segments.stream().mapToLong(segment -> segment.bytes).sum();
    }

    long liveBytes() {
        return segments.stream().mapToLong(segment -> segment.liveBytes).sum();
    }

    private void writeManifest() throws IOException {
        List<JournalManifest.Segment> named = new ArrayList<>();
        for (SegmentState segment : segments) {
            boolean open = segment == segments.getLast();
            named.add(
                    new JournalManifest.Segment(
                            segment.number,
                            segment.name,
                            open ? JournalManifest.OPEN : segment.bytes));
        }
        if (!manifest.write(manifestVersion, new JournalManifest(owner, named).encode())) {
            throw claimedByAnother();
        }
        manifestVersion++;
    }

    private IOException claimedByAnother() {
        return new IOException(
                "The retry journal in %s was claimed by somebody else: expected to write version %d of its manifest"
                        .formatted(directory, manifestVersion + 1));
    }

    /** Segments that no manifest names: left over from crashes between making and naming. */
    private void deleteStrangers() throws IOException {
        for (FileStore.FileInfo file : files.list(directory)) {
            boolean named = segments.stream().anyMatch(s -> s.path().equals(file.path()));
            long fileOwner = ownerOf(file.path());
            if (!named && fileOwner > 0 && fileOwner <= owner) {
                files.delete(file.path());
            }
        }
    }

    private static long ownerOf(String path) {
        Matcher matcher = NAME.matcher(lastName(path));
        return matcher.matches() ? Long.parseLong(matcher.group(1)) : 0;
    }

    @Override
    public void close() throws IOException {
        for (SegmentState segment : segments) {
            segment.close();
        }
        if (writing != null) {
            writing.close();
            writing = null;
        }
    }
}
