package photon.eventstore.index;

/**
 * Where an event's row stands in the index: 128 bits of hash of its key, the high half first.
 * Signed order, in tables and files alike.
 */
record Place(long high, long low) {
    static int compare(long high, long low, long otherHigh, long otherLow) {
        return high != otherHigh ? Long.compare(high, otherHigh) : Long.compare(low, otherLow);
    }
}
