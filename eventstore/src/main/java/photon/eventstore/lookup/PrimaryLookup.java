package photon.eventstore.lookup;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import photon.core.share.StoreShare;
import photon.eventstore.index.LogIndex;
import photon.proto.v1.Event;
import photon.proto.v1.PrimaryLookupResponse.Result;

/** Looks a batch of keys up, all together. Thread-safe. */
public final class PrimaryLookup {
    private final LogIndex index;
    private final StoreShare share;
    private final LookupCounts counts;
    private final long answerBytesMax;

    /**
     * @param share what the index is to hold
     * @param answerBytesMax primary events that one answer may carry, bytes; at least one always
     *     fits
     */
    public PrimaryLookup(
            LogIndex index, StoreShare share, LookupCounts counts, long answerBytesMax) {
        this.index = index;
        this.share = share;
        this.counts = counts;
        this.answerBytesMax = answerBytesMax;
    }

    /**
     * @param results as many as keys, in the same order
     * @param whole false: some were found and had no room, so that they look like misses; or some
     *     are not of the share
     */
    record Answer(List<Result> results, boolean whole) {}

    Answer find(List<ByteString> keys) {
        List<@Nullable Event> found = index.get(keys);
        counts.lookups.add(keys.size());
        List<Result> results = new ArrayList<>(keys.size());
        long bytes = 0;
        boolean whole = true;
        for (int i = 0; i < keys.size(); i++) {
            Result result = PrimaryLookupRule.judge(keys.get(i), found.get(i), share);
            if (result.getElsewhere()) {
                counts.elsewhere.increment();
                whole = false;
            }
            int size = result.getPrimary().getSerializedSize();
            if (bytes > 0 && bytes + size > answerBytesMax) {
                result = PrimaryLookupRule.noRoom();
                whole = false;
            } else {
                bytes += size;
            }
            results.add(result);
        }
        return new Answer(results, whole);
    }
}
