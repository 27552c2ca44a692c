package photon.idregistry.table;

/**
 * How many ids there are, and an order-independent hash of them and their holders: the same on all
 * replicas, whatever lies in which tier.
 */
final class TableDigest {
    long count;
    long hash;

    void add(long moreCount, long moreHash) {
        count += moreCount;
        hash += moreHash;
    }

    void subtract(long lessCount, long lessHash) {
        count -= lessCount;
        hash -= lessHash;
    }
}
