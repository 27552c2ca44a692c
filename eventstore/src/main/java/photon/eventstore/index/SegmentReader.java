package photon.eventstore.index;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.ReadFile;
import photon.storage.frames.FrameReader;

/** Reads a segment from its beginning, batch by batch. Not thread-safe. */
final class SegmentReader implements AutoCloseable {
    private final String path;
    private final ReadFile file;
    private final FrameReader frames;
    private final SegmentHead head;
    private final PositionCodec positions = new PositionCodec();
    private @Nullable String cut;
    private boolean corrupt;

    /**
     * @throws DamagedIndexException if it has no head
     */
    SegmentReader(FileStore files, String path) throws IOException {
        this.path = path;
        this.file = files.open(path);
        try {
            this.frames = new FrameReader(file, 0);
            FrameReader.@Nullable Item first = nextFrame();
            if (!(first instanceof FrameReader.Frame frame)) {
                throw new DamagedIndexException(path, 0, "is no head");
            }
            this.head = SegmentFormat.decodeHead(frame.payload());
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    private FrameReader.@Nullable Item nextFrame() throws IOException {
        try {
            return frames.next();
        } catch (IOException e) {
            throw new UnreadableFileException(path, e);
        }
    }

    SegmentHead head() {
        return head;
    }

    /** A block, still compressed, and where it stands. */
    record StoredBlock(long offset, byte[] payload) {
        List<photon.proto.v1.Event> events() throws IOException {
            return Block.of(payload, 0, payload.length).events();
        }
    }

    record Batch(List<StoredBlock> blocks, Commit commit) {}

    /**
     * The next whole batch; null: there is no other, and what stands behind the last one, if
     * anything does, is {@link #cut}.
     */
    @Nullable Batch next() throws IOException {
        List<StoredBlock> blocks = new ArrayList<>();
        while (cut == null) {
            FrameReader.@Nullable Item item = nextFrame();
            if (item == null) {
                if (frames.torn()) {
                    cut = "offset " + frames.position() + " begins no whole frame";
                } else if (!blocks.isEmpty()) {
                    cut = "the last batch has no end";
                }
                return null;
            }
            if (!(item instanceof FrameReader.Frame frame)) {
                corrupt = true;
                cut = "the bytes from offset " + item.offset() + " on are not what was written";
                return null;
            }
            byte[] payload = frame.payload();
            if (payload.length > 0 && payload[0] == SegmentFormat.BLOCK) {
                blocks.add(new StoredBlock(frame.offset(), payload));
            } else {
                return new Batch(blocks, SegmentFormat.decodeCommit(payload, positions));
            }
        }
        return null;
    }

    /** After the end: why the rest of the file was not read; null if all was. */
    @Nullable String cut() {
        return cut;
    }

    /** After the end: whether whole frames stand behind what was cut, so that it is no torn end. */
    boolean corrupt() {
        return corrupt;
    }

    /**
     * For a segment that was synced as a whole, after its end.
     *
     * @throws DamagedIndexException if something was cut
     */
    void checkWhole() throws IOException {
        if (cut != null) {
            throw new DamagedIndexException(path + ": expected it to be whole, but " + cut);
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
