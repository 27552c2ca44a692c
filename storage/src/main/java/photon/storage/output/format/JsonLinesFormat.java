package photon.storage.output.format;

import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import com.google.protobuf.ByteString;
import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import photon.core.config.OutputConfig.Compression;
import photon.core.text.LineFeed;

/** One event a line, each ended by a line feed; the whole file compressed, if that is wanted. */
final class JsonLinesFormat implements OutputFormat {
    private static final int BUFFER_BYTES = 64 << 10;

    private final Compression compression;

    JsonLinesFormat(Compression compression) {
        this.compression = compression;
    }

    @Override
    public String suffix() {
        return ".jsonl" + suffix(compression);
    }

    /** What a file's name ends in whose whole content is compressed. */
    static String suffix(Compression compression) {
        return switch (compression) {
            case NONE -> "";
            case GZIP -> ".gz";
            case ZSTD -> ".zst";
            case SNAPPY -> throw new IllegalStateException("No file is a stream of " + compression);
        };
    }

    @Override
    public @Nullable String refusal(ByteString event) {
        if (event.isEmpty()) {
            return "Expected a JSON line, but it is empty";
        }
        int at = LineFeed.find(event);
        return at == event.size()
                ? null
                : "Expected one JSON line, but it has a line feed at byte " + at;
    }

    @Override
    public EventWriter begin(OutputStream file) throws IOException {
        return new Lines(compressed(file, compression));
    }

    /** A stream that compresses the whole of a file, and whose close ends that, not the file. */
    static OutputStream compressed(OutputStream file, Compression compression) throws IOException {
        return switch (compression) {
            case GZIP -> new GZIPOutputStream(new StaysOpen(file), BUFFER_BYTES);
            case ZSTD -> new ZstdOutputStreamNoFinalizer(new StaysOpen(file)).setChecksum(true);
            default -> new StaysOpen(file);
        };
    }

    private record Lines(OutputStream to) implements EventWriter {
        @Override
        public void write(Origin from, ByteString event) throws IOException {
            event.writeTo(to);
            to.write('\n');
        }

        @Override
        public void end() throws IOException {
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
}
