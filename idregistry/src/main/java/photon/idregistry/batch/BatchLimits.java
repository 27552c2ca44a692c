package photon.idregistry.batch;

import static photon.core.error.Checks.check;

import java.time.Duration;

/**
 * Bounds of one shard's batching.
 *
 * @param idsPerEntryMax an entry costs as much as 200 ids, and beyond a few thousand only latency
 *     grows
 * @param entriesInFlightMax at most this many are in flight at a time; {@link EntryPace} may allow
 *     fewer
 * @param waitingIdsMax ids that wait for an entry; bounds memory
 */
public record BatchLimits(int idsPerEntryMax, int entriesInFlightMax, int waitingIdsMax) {
    public static final BatchLimits DEFAULTS = new BatchLimits(4_096, 8, 131_072);

    /**
     * How far an id's timestamp may be ahead of the clock's latest, unless the server is told
     * otherwise.
     */
    public static final Duration DEFAULT_MAX_SKEW = Duration.ofMinutes(1);

    public BatchLimits {
        check(idsPerEntryMax > 0, "Expected idsPerEntryMax above 0, but got %s", idsPerEntryMax);
        check(
                entriesInFlightMax > 0,
                "Expected entriesInFlightMax above 0, but got %s",
                entriesInFlightMax);
        check(
                waitingIdsMax >= idsPerEntryMax,
                "Expected waitingIdsMax of at least idsPerEntryMax %s, but got %s",
                idsPerEntryMax,
                waitingIdsMax);
    }
}
