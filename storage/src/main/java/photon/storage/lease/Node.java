package photon.storage.lease;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A process that works on partitions, as it advertises itself.
 *
 * @param name the same in all its lives, of which no two go on at one time
 * @param address where it takes requests
 * @param capacity its share of the partitions is as its part of the sum of all; from 1 on
 * @param atMost how many partitions it can work on, as far as it knows: it failed to begin another
 *     one a moment ago; null: any number
 * @param termMillis it renews its entry sooner than this, or has stopped its work
 */
public record Node(
        String name,
        String address,
        int capacity,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer atMost,
        long termMillis) {
    public Node {
        requireNonNull(address, "Expected an address");
        if (name.isEmpty() || capacity < 1 || termMillis < 1) {
            throw new IllegalArgumentException(
                    "Expected a name, and a capacity and a term from 1 on, but got %s, %d, %d"
                            .formatted(name, capacity, termMillis));
        }
    }

    /** One that works on any number. */
    public Node(String name, String address, int capacity, long termMillis) {
        this(name, address, capacity, null, termMillis);
    }

    Node limitedTo(int partitions) {
        return new Node(name, address, capacity, partitions, termMillis);
    }

    /** So long after its last renewal it counts as dead for all, but for a short pause. */
    public Duration term() {
        return Duration.ofMillis(termMillis);
    }

    byte[] encode() {
        try {
            return Lease.JSON.writeValueAsBytes(this);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Node decode(byte[] json) throws IOException {
        try {
            return requireNonNull(
                    Lease.JSON.readValue(json, Node.class), "Expected an entry of the node list");
        } catch (com.fasterxml.jackson.core.JacksonException | NullPointerException e) {
            throw new IOException("Expected an entry of the node list", e);
        }
    }
}
