package photon.eventstore.lookup;

import com.google.protobuf.ByteString;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import photon.proto.v1.Event;

/**
 * The newest primary events by their whole key, within a bound on memory. Filled by the tailing of
 * the logs, since most foreign events follow soon.
 *
 * <p>Two generations, each of half of the bound: when the younger one is full it takes the place of
 * the elder, which goes as a whole. So nothing is done for an event that is dropped, and little for
 * one that comes: a cache that weighs each event against the others took a quarter of the
 * pipeline's CPU time. One thread puts; any thread gets.
 */
public final class PrimaryCache {
    /** What the objects around an event's bytes take, roughly. */
    private static final int OVERHEAD_BYTES = 250;

    private final long generationBytesMax;
    private volatile Generations generations = new Generations(newMap(16), newMap(16));
    private long youngBytes;
    private long oldBytes;

    private record Generations(
            ConcurrentHashMap<ByteString, Event> young, ConcurrentHashMap<ByteString, Event> old) {}

    /**
     * @param bytesMax about how much memory the events may take; 0 keeps none
     */
    public PrimaryCache(long bytesMax) {
        this.generationBytesMax = bytesMax / 2;
    }

    /** Remembers an event that the index holds, in the place of one with the same id. */
    public void put(Event event) {
        int weight = weight(event);
        if (weight > generationBytesMax) {
            return;
        }
        if (youngBytes + weight > generationBytesMax) {
            ConcurrentHashMap<ByteString, Event> full = generations.young();
            generations = new Generations(newMap(full.size()), full);
            oldBytes = youngBytes;
            youngBytes = 0;
        }
        Event before = generations.young().put(event.getKey(), event);
        youngBytes += weight - (before == null ? 0 : weight(before));
    }

    @Nullable Event get(ByteString key) {
        Generations now = generations;
        Event young = now.young().get(key);
        return young != null ? young : now.old().get(key);
    }

    private static int weight(Event event) {
        return OVERHEAD_BYTES + event.getSerializedSize();
    }

    private static ConcurrentHashMap<ByteString, Event> newMap(int events) {
        return new ConcurrentHashMap<>(events);
    }

    /** What the events weigh now. In the thread that puts. */
    long bytes() {
        return youngBytes + oldBytes;
    }
}
