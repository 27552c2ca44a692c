package photon.eventstore.index;

/**
 * What the index holds now.
 *
 * @param events in the segments that are held, repeats among them
 * @param segments files with events, the one that is written among them
 * @param parts sealed parts, which a lookup visits
 * @param diskBytes of both
 * @param memoryBytes of heap: tables, filters, first places, the newest blocks
 * @param expired events that were dropped behind the retention in this life
 * @param cacheHits keys found in the newest blocks in this life
 * @param diskHits keys found in blocks that had to be read
 */
public record IndexFigures(
        long events,
        int segments,
        int parts,
        long diskBytes,
        long memoryBytes,
        long expired,
        long cacheHits,
        long diskHits) {}
