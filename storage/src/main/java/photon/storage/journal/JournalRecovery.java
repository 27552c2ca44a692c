package photon.storage.journal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import photon.storage.document.VersionedDocument;
import photon.storage.files.FileStore;

/** A journal as its files tell it: replayed, changed by nothing. */
final class JournalRecovery {
    static final String MANIFEST = "manifest";

    final RowIndex index = new RowIndex();
    final List<SegmentState> segments = new ArrayList<>();
    long manifestVersion;
    long owner;

    /** The last frame of the segment that was open, applied by neither: see the two ways on. */
    private byte[] carry = new byte[0];

    private JournalRecovery() {}

    /**
     * @param closeOpen true: ends the writing of the open segment first, in case its writer still
     *     lives
     */
    static JournalRecovery read(
            FileStore files, String directory, VersionedDocument manifest, boolean closeOpen)
            throws IOException {
        JournalRecovery recovered = new JournalRecovery();
        Optional<VersionedDocument.Version> version = manifest.read();
        if (version.isEmpty()) {
            return recovered;
        }
        JournalManifest content = JournalManifest.decode(version.get().content());
        recovered.manifestVersion = version.get().number();
        recovered.owner = content.owner();
        for (JournalManifest.Segment segment : content.segments()) {
            recovered.replay(files, directory, segment, closeOpen);
        }
        return recovered;
    }

    private void replay(
            FileStore files, String directory, JournalManifest.Segment named, boolean closeOpen)
            throws IOException {
        SegmentState segment = new SegmentState(files, directory, named.number(), named.name());
        if (closeOpen && named.sealedLength() == JournalManifest.OPEN) {
            files.recover(segment.path());
        }
        segments.add(segment);
        JournalSegmentReader.Read read =
                JournalSegmentReader.read(
                        files,
                        segment.path(),
                        named.sealedLength(),
                        (entry, offset, length) -> apply(entry, segment, offset, length));
        segment.bytes = read.bytes();
        carry = read.carry();
    }

    /**
     * What the new owner must write into its first segment before the manifest names it: the last
     * frame that was written may be known to the operating system alone.
     */
    byte[] carry() {
        return carry;
    }

    /** Applies the carried frame, which stands in this segment at {@code contentAt} now. */
    void applyCarry(SegmentState segment, int contentAt) throws IOException {
        JournalSegmentReader.each(
                segment.path(),
                carry,
                0,
                carry.length,
                (entry, offset, length) -> apply(entry, segment, contentAt + offset, length));
    }

    /** Applies the carried frame where it stands: for readers that change nothing. */
    void applyCarry() throws IOException {
        if (carry.length > 0) {
            SegmentState last = segments.get(segments.size() - 1);
            applyCarry(last, Math.toIntExact(last.bytes) + BatchFrame.HEADER_BYTES);
        }
    }

    private void apply(JournalEntry entry, SegmentState segment, int offset, int length) {
        if (entry instanceof JournalEntry.Put put) {
            index.apply(put, segment, offset, length);
        } else if (entry instanceof JournalEntry.Update update) {
            index.apply(update);
        } else {
            index.apply((JournalEntry.Delete) entry);
        }
    }
}
