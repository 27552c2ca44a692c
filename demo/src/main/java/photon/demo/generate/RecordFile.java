package photon.demo.generate;

import java.io.IOException;
import photon.storage.files.FileStore.AppendFile;
import photon.storage.frames.FrameWriter;

/** An open log file, buffered: only whole records reach it. Not thread-safe. */
interface RecordFile extends AutoCloseable {
    /** Appends what {@link RecordEncoder} made. */
    void append(byte[] record, int length) throws IOException;

    /** Readers see all of it. */
    void flush() throws IOException;

    /** Bytes so far, the buffered ones among them. */
    long length();

    @Override
    void close() throws IOException;

    static RecordFile of(AppendFile file, boolean framed) {
        return framed ? new Frames(file) : new Lines(file);
    }

    /** A frame a record. */
    final class Frames implements RecordFile {
        private final FrameWriter frames;

        private Frames(AppendFile file) {
            this.frames = new FrameWriter(file);
        }

        @Override
        public void append(byte[] record, int length) throws IOException {
            frames.append(record, 0, length);
        }

        @Override
        public void flush() throws IOException {
            frames.flush();
        }

        @Override
        public long length() {
            return frames.position();
        }

        @Override
        public void close() throws IOException {
            frames.close();
        }
    }

    /** A line a record. */
    final class Lines implements RecordFile {
        private static final int BUFFER_BYTES = 64 << 10;

        private final AppendFile file;
        private final byte[] buffer = new byte[BUFFER_BYTES];
        private int buffered;

        private Lines(AppendFile file) {
            this.file = file;
        }

        @Override
        public void append(byte[] record, int length) throws IOException {
            if (buffered + length > BUFFER_BYTES) {
                drain();
            }
            System.arraycopy(record, 0, buffer, buffered, length);
            buffered += length;
        }

        @Override
        public void flush() throws IOException {
            drain();
            file.flush();
        }

        @Override
        public long length() {
            return file.position() + buffered;
        }

        @Override
        public void close() throws IOException {
            try (file) {
                drain();
            }
        }

        private void drain() throws IOException {
            int length = buffered;
            buffered = 0;
            file.write(buffer, 0, length);
        }
    }
}
