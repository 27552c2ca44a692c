package photon.storage.output;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * How joined events stand in published files. The same events in the same order give the same bytes
 * in every process and version: a half-done publication is redone by others (docs/protocol.md
 * section 6). Thread-safe.
 */
public interface OutputFormat {
    /** What published files' names end in, with the dot. */
    String suffix();

    /**
     * Why this event cannot be written; null: it can. The joiner asks before it commits, since a
     * work log takes no event that has no place in the output.
     */
    @Nullable String refusal(ByteString event);

    /** Begins a file. The stream is buffered, and closed by its owner. */
    EventWriter begin(OutputStream file) throws IOException;

    /** Writes the events of one file, in order. */
    interface EventWriter {
        void write(ByteString event) throws IOException;

        /** No event comes after this: writes what must stand at the end. */
        void end() throws IOException;
    }
}
