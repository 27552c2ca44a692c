package photon.storage.tail;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * How far a dispatcher has finished its files: the content of its versioned document {@code
 * checkpoint}.
 *
 * @param owner number of the process start that wrote it; each start claims the document with a
 *     higher one first, so that a stalled owner's late write is refused
 */
public record Checkpoint(long owner, List<FilePosition> positions) {
    private static final JsonMapper JSON = new JsonMapper();

    public Checkpoint {
        positions = List.copyOf(positions);
    }

    /** JSON, for people too. */
    public byte[] encode() {
        try {
            return JSON.writeValueAsBytes(this);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * @throws UncheckedIOException if it is no checkpoint
     */
    public static Checkpoint decode(byte[] json) {
        try {
            return JSON.readValue(json, Checkpoint.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
