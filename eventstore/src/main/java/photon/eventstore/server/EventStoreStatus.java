package photon.eventstore.server;

import photon.eventstore.index.IndexFigures;
import photon.storage.ledger.LedgerRetention;
import photon.storage.tail.LogTroubles;

/**
 * What an event store has done so far.
 *
 * @param primaryEvents primary events indexed, repeats among them, also in earlier lives
 * @param badRecords primary records without a usable identity, once a file and offset, also from
 *     earlier lives
 * @param caughtUp every file that matched at the last listing is indexed to its end, and nothing
 *     new was seen since; false until the first listing of this life
 * @param allRead what was logged until some seconds before is indexed, and no log is away: a
 *     primary event that is not found had not come by then
 * @param polls looks at the logs that have ended in this life; one that hangs is not among them
 * @param eventsRead primary events read in this life, also those of other event stores' shares
 * @param lagBytes known to wait unread
 * @param unreadSinceMillis about when the oldest of it was logged, milliseconds since 1970; 0: all
 *     is read
 * @param troubles of the primary logs
 * @param files primary logs whose positions are kept in memory
 * @param lookups keys looked up in this life
 * @param elsewhere of these, keys that were not found and are not of this store's share
 * @param refused keys refused because too much was waiting
 * @param awaited keys that dispatchers wait for now
 * @param arrivals keys whose coming dispatchers were told of
 * @param index what the log index holds
 * @param ledger what the ledger of bad records holds
 */
public record EventStoreStatus(
        long primaryEvents,
        long badRecords,
        boolean caughtUp,
        boolean allRead,
        long polls,
        long eventsRead,
        long lagBytes,
        long unreadSinceMillis,
        LogTroubles troubles,
        int files,
        long lookups,
        long elsewhere,
        long refused,
        int awaited,
        long arrivals,
        IndexFigures index,
        LedgerRetention.Figures ledger) {}
