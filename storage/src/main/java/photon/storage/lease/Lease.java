package photon.storage.lease;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Says which node works on a partition.
 *
 * @param number grows with each taking; what somebody with a lower one still writes does not count
 * @param holder its name in the {@link NodeList}, which says whether it goes on
 * @param released its holder has given it back
 */
public record Lease(long number, String holder, boolean released) {
    public Lease {
        requireNonNull(holder, "Expected a holder");
    }

    // What a later version adds is not ours to refuse.
    static final JsonMapper JSON =
            JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

    /** Given back by its holder. */
    public Lease asReleased() {
        return new Lease(number, holder, true);
    }

    byte[] encode() {
        try {
            return JSON.writeValueAsBytes(this);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Lease decode(byte[] json) throws IOException {
        try {
            return requireNonNull(JSON.readValue(json, Lease.class), "Expected a lease");
        } catch (com.fasterxml.jackson.core.JacksonException | NullPointerException e) {
            throw new IOException("Expected a lease", e);
        }
    }
}
