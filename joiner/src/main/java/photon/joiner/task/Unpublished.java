package photon.joiner.task;

import static photon.core.error.Checks.check;

import java.util.ArrayDeque;
import java.util.List;
import photon.joiner.rules.Attempt;

/** Records that are flushed and not yet in a published file, a batch each, in order. */
final class Unpublished {
    private final ArrayDeque<Batch> batches = new ArrayDeque<>();

    private record Batch(int records, long lowestMicros) {}

    void flushed(List<Attempt> batch) {
        long lowest = Long.MAX_VALUE;
        for (Attempt attempt : batch) {
            lowest = Math.min(lowest, attempt.id().micros());
        }
        batches.add(new Batch(batch.size(), lowest));
    }

    /** A work log was published, the oldest that there was: whole batches. */
    void published(int records) {
        int left = records;
        while (left > 0 && !batches.isEmpty()) {
            left -= batches.remove().records();
        }
        check(
                left == 0,
                "Expected whole batches in a work log of %s, but %s is left",
                records,
                left);
    }

    /** {@link Long#MAX_VALUE}: there is nothing. */
    long lowestMicros() {
        long lowest = Long.MAX_VALUE;
        for (Batch batch : batches) {
            lowest = Math.min(lowest, batch.lowestMicros());
        }
        return lowest;
    }
}
