package photon.eventstore.index;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.AppendFile;
import photon.storage.frames.FrameWriter;
import photon.storage.tail.FilePosition;

/**
 * Writes one segment: under another name until it holds what stood before it, and from {@link
 * #publish} on under its own. After any exception it may only be closed. Not thread-safe.
 */
final class SegmentWriter implements AutoCloseable {
    private static final int POSITIONS_PER_COMMIT = 1_000;

    private final FileStore files;
    private final String directory;
    private final FrameWriter out;
    private final PositionCodec positions = new PositionCodec();
    private SegmentStat stat;

    private SegmentWriter(FileStore files, String directory, long number, AppendFile file) {
        this.files = files;
        this.directory = directory;
        this.out = new FrameWriter(file);
        this.stat = new SegmentStat(number, 0, 0, Long.MIN_VALUE);
    }

    /** Nobody sees it before {@link #publish}. */
    static SegmentWriter create(
            FileStore files,
            String directory,
            long number,
            SegmentHead head,
            Collection<FilePosition> positions)
            throws IOException {
        String path = directory + "/" + IndexNames.unfinished(IndexNames.segment(number));
        files.delete(path);
        SegmentWriter writer = new SegmentWriter(files, directory, number, files.create(path));
        try {
            writer.out.append(SegmentFormat.encode(head));
            List<FilePosition> all = List.copyOf(positions);
            for (int from = 0; from < all.size(); from += POSITIONS_PER_COMMIT) {
                int to = Math.min(all.size(), from + POSITIONS_PER_COMMIT);
                writer.out.append(
                        SegmentFormat.encode(
                                Commit.positions(all.subList(from, to)), writer.positions));
            }
        } catch (IOException e) {
            writer.close();
            throw e;
        }
        return writer;
    }

    /** Durable, with its name, and with all that was written. */
    void publish() throws IOException {
        out.sync();
        String name = IndexNames.segment(stat.number());
        files.rename(directory + "/" + IndexNames.unfinished(name), directory + "/" + name);
        files.syncDirectory(directory);
    }

    SegmentStat stat() {
        return stat;
    }

    /** Returns its offset. It counts from the next commit on. */
    long block(byte[] payload, int length) throws IOException {
        long offset = out.position();
        out.append(payload, 0, length);
        return offset;
    }

    /** Readers see it, and it survives the death of this process. */
    void commit(Commit commit) throws IOException {
        append(commit);
        out.flush();
    }

    /** For a segment that is not published yet. */
    void append(Commit commit) throws IOException {
        out.append(SegmentFormat.encode(commit, positions));
        stat = stat.with(commit.events(), out.position(), commit.newestMicros());
    }

    void sync() throws IOException {
        out.sync();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
