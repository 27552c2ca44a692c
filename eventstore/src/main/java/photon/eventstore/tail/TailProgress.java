package photon.eventstore.tail;

/**
 * How far the primary logs are indexed.
 *
 * @param primaryEvents distinct primary ids held
 * @param badRecords records without a usable identity, once a file and offset
 * @param caughtUp every file that matched at the last listing was read and indexed to its end, and
 *     nothing new was seen since
 * @param lagBytes known to wait unread
 */
public record TailProgress(long primaryEvents, long badRecords, boolean caughtUp, long lagBytes) {}
