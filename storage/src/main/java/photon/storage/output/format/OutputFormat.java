package photon.storage.output.format;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * How joined events stand in published files. The same events in the same order give the same bytes
 * in every process: others redo a publication that a crash has interrupted (docs/protocol.md
 * section 6). Another version of Photon may give other bytes, since libraries change; what was
 * written aside before the crash is taken then. Thread-safe.
 */
public interface OutputFormat {
    /** What published files' names end in, with the dot. */
    String suffix();

    /**
     * Describes this format for {@link OutputFormats#described}. A work log keeps it, so that
     * whoever publishes the log later writes the same, also under a changed configuration. Empty:
     * plain JSON lines.
     */
    String description();

    /**
     * Why this event cannot be written; null: it can. The joiner asks before it commits, since a
     * work log takes no event that has no place in the output.
     */
    @Nullable String refusal(ByteString event);

    /** Begins a file. The stream is buffered, and closed by its owner. */
    EventWriter begin(OutputStream file) throws IOException;

    /** Writes the events of one file, in order. */
    interface EventWriter extends AutoCloseable {
        void write(ByteString event) throws IOException;

        /** No event comes after this: writes what must stand at the end. */
        void end() throws IOException;

        /** Frees memory. Without {@link #end} before, the file is rubbish. */
        @Override
        void close();
    }
}
