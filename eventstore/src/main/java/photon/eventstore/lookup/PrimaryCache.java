package photon.eventstore.lookup;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;
import photon.proto.v1.Event;

/**
 * Recent primary events by their whole key, within a bound on memory. Filled by the tailing of the
 * logs, since most foreign events follow soon. Thread-safe.
 */
public final class PrimaryCache {
    /** What the objects around an event's bytes take, roughly. */
    private static final int OVERHEAD_BYTES = 250;

    private final Cache<ByteString, Event> events;

    /**
     * @param bytesMax about how much memory the events may take; 0 keeps none
     */
    public PrimaryCache(long bytesMax) {
        this.events =
                Caffeine.newBuilder()
                        .maximumWeight(bytesMax)
                        .<ByteString, Event>weigher(
                                (key, event) -> OVERHEAD_BYTES + event.getSerializedSize())
                        // Evicts in the caller's thread: no thread of its own.
                        .executor(Runnable::run)
                        .build();
    }

    /** Remembers an event that the index holds, in the place of one with the same id. */
    public void put(Event event) {
        events.put(event.getKey(), event);
    }

    @Nullable Event get(ByteString key) {
        return events.getIfPresent(key);
    }

    /** Weight now, bytes. */
    long bytes() {
        events.cleanUp();
        return events.policy().eviction().orElseThrow().weightedSize().orElse(0);
    }
}
