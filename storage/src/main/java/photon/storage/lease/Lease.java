package photon.storage.lease;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;

/**
 * Says who works on something that several machines share.
 *
 * @param number grows with each taking; what somebody with a lower one still writes does not count
 * @param holder its name, the same in all its lives, of which no two go on at one time
 * @param address where it takes requests
 * @param termMillis it renews sooner than this, or has stopped
 * @param released its holder has given it back
 */
public record Lease(long number, String holder, String address, long termMillis, boolean released) {
    // What a later version adds is not ours to refuse.
    private static final JsonMapper JSON =
            JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

    /** How long it is held without being renewed. */
    public Duration term() {
        return Duration.ofMillis(termMillis);
    }

    /** Given back by its holder. */
    public Lease asReleased() {
        return new Lease(number, holder, address, termMillis, true);
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
            return JSON.readValue(json, Lease.class);
        } catch (com.fasterxml.jackson.core.JacksonException e) {
            throw new IOException("Expected a lease", e);
        }
    }
}
