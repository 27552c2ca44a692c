package photon.server.resets;

/**
 * How many events a reset is about, and what the registry says of some of them.
 *
 * @param bytes that they take in the logs, uncompressed
 * @param exact the number of events is counted, and not estimated from a sample
 * @param asked how many events the registry was asked about
 * @param known of these it holds: they are joined, or on their way
 * @param tooOld of these it says that they are older than the boundary
 */
public record CountedEvents(
        long bytes, long events, boolean exact, int asked, int known, int tooOld) {}
