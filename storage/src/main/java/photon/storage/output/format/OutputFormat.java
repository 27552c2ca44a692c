package photon.storage.output.format;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.core.id.EventId;

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
     * Why this event cannot be written; null: it can. The joiner asks before it commits, since a
     * work log takes no event that has no place in the output.
     */
    @Nullable String refusal(ByteString event);

    /** True: to ask for a {@link #refusal} costs nearly as much as to write the event. */
    default boolean refusalIsDear() {
        return false;
    }

    /** True: {@link Origin#primaryId} must be there. */
    default boolean needsPrimaryId() {
        return false;
    }

    /**
     * What joined events come from: one of these for all that one foreign event gave.
     *
     * @param id the foreign event's
     * @param primaryId the primary event's; null where the format does not need it
     */
    record Origin(EventId id, CommitToken token, @Nullable EventId primaryId) {}

    /** Begins a file. The stream is buffered, and closed by its owner. */
    EventWriter begin(OutputStream file) throws IOException;

    /** Writes the events of one file, in order. */
    interface EventWriter extends AutoCloseable {
        void write(Origin from, ByteString event) throws IOException;

        /** No event comes after this: writes what must stand at the end. */
        void end() throws IOException;

        /** Frees memory. Without {@link #end} before, the file is rubbish. */
        @Override
        void close();
    }
}
