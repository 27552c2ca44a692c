package photon.storage.output.format;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import photon.core.config.OutputConfig.Compression;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.proto.v1.FramedRecord;
import photon.storage.files.FileStore.AppendFile;
import photon.storage.format.JsonObjects;
import photon.storage.frames.FrameWriter;

/**
 * Frames with a {@link FramedRecord} each, which a further pipeline reads as a framed log: the
 * event with its token and both ids. The whole file is compressed, if that is wanted.
 */
final class FramedFiles implements OutputFormat {
    /** A log's records end at 8 MiB; ids and token take less than the difference. */
    static final int EVENT_BYTES_MAX = (8 << 20) - (1 << 10);

    private final Compression compression;

    FramedFiles(Compression compression) {
        this.compression = compression;
    }

    @Override
    public String suffix() {
        return ".framed" + JsonLinesFormat.suffix(compression);
    }

    @Override
    public @Nullable String refusal(ByteString event) {
        if (event.size() > EVENT_BYTES_MAX) {
            return "Expected an event of at most %d bytes for a framed output, but it has %d"
                    .formatted(EVENT_BYTES_MAX, event.size());
        }
        return JsonObjects.refusal(event);
    }

    @Override
    public boolean needsPrimaryId() {
        return true;
    }

    @Override
    public EventWriter begin(OutputStream file) throws IOException {
        return new Frames(JsonLinesFormat.compressed(file, compression));
    }

    /** Counts the events of one origin, which come one behind the other. */
    private static final class Frames implements EventWriter {
        private final OutputStream to;
        private final FrameWriter frames;
        private @Nullable Origin last;
        private int ordinal;

        Frames(OutputStream to) {
            this.to = to;
            this.frames = new FrameWriter(new Appended(to));
        }

        @Override
        public void write(Origin from, ByteString event) throws IOException {
            ordinal = from.equals(last) ? ordinal + 1 : 0;
            last = from;
            FramedRecord.Builder record =
                    FramedRecord.newBuilder()
                            .setId(UnsafeByteOperations.unsafeWrap(from.id().toBytes()))
                            .setJson(event)
                            .setToken(packed(from.token()))
                            .setOrdinal(ordinal);
            EventId primaryId = from.primaryId();
            if (primaryId != null) {
                record.setPrimaryId(UnsafeByteOperations.unsafeWrap(primaryId.toBytes()));
            }
            frames.append(record.build().toByteArray());
        }

        private static ByteString packed(CommitToken token) {
            ByteBuffer bytes = ByteBuffer.allocate(CommitToken.BYTES);
            token.write(bytes);
            return ByteString.copyFrom(bytes.flip());
        }

        @Override
        public void end() throws IOException {
            frames.flush();
            to.close(); // ends the compressed content; the file stays open
        }

        @Override
        public void close() {
            try {
                to.close();
            } catch (IOException e) {
                // Without end() the file is rubbish, whatever it holds.
            }
        }
    }

    /** The file as frames are appended to it; its owner syncs and closes it. */
    private static final class Appended implements AppendFile {
        private final OutputStream to;
        private long position;

        Appended(OutputStream to) {
            this.to = to;
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            to.write(bytes, offset, length);
            position += length;
        }

        @Override
        public void flush() {}

        @Override
        public void sync() {}

        @Override
        public long position() {
            return position;
        }

        @Override
        public void close() {}
    }
}
