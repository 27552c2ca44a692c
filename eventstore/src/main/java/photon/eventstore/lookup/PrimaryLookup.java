package photon.eventstore.lookup;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import photon.eventstore.index.LogIndex;
import photon.proto.v1.Event;
import photon.proto.v1.PrimaryLookupResponse.Result;

/** Looks a batch of keys up: first in the cache, the rest together in the index. Thread-safe. */
public final class PrimaryLookup {
    private final PrimaryCache cache;
    private final LogIndex index;
    private final LookupCounts counts;
    private final long answerBytesMax;

    /**
     * @param answerBytesMax primary events that one answer may carry, bytes; at least one always
     *     fits
     */
    public PrimaryLookup(
            PrimaryCache cache, LogIndex index, LookupCounts counts, long answerBytesMax) {
        this.cache = cache;
        this.index = index;
        this.counts = counts;
        this.answerBytesMax = answerBytesMax;
    }

    /** As many results as keys, in the same order. */
    List<Result> find(List<ByteString> keys) {
        Map<ByteString, @Nullable Event> found = new HashMap<>(2 * keys.size());
        List<ByteString> missing = new ArrayList<>();
        for (ByteString key : keys) {
            if (found.containsKey(key)) {
                continue;
            }
            Event cached = cache.get(key);
            found.put(key, cached);
            if (cached == null) {
                missing.add(key);
            }
        }
        int cached = found.size() - missing.size();
        int indexed = missing.isEmpty() ? 0 : readIndex(missing, found);
        counts.lookups.add(found.size());
        counts.cacheHits.add(cached);
        counts.indexHits.add(indexed);
        return judge(keys, found);
    }

    private int readIndex(List<ByteString> missing, Map<ByteString, @Nullable Event> found) {
        List<@Nullable Event> read = index.get(missing);
        int hits = 0;
        for (int i = 0; i < missing.size(); i++) {
            Event event = read.get(i);
            if (event != null) {
                found.put(missing.get(i), event);
                hits++;
            }
        }
        return hits;
    }

    private List<Result> judge(List<ByteString> keys, Map<ByteString, @Nullable Event> found) {
        List<Result> results = new ArrayList<>(keys.size());
        long bytes = 0;
        for (ByteString key : keys) {
            Result result = PrimaryLookupRule.judge(key, found.get(key));
            int size = result.getPrimary().getSerializedSize();
            if (bytes > 0 && bytes + size > answerBytesMax) {
                result = PrimaryLookupRule.noRoom();
            } else {
                bytes += size;
            }
            results.add(result);
        }
        return results;
    }
}
