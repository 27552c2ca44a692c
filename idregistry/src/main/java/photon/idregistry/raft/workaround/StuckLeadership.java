package photon.idregistry.raft.workaround;

/**
 * Tells a leader that refuses entries for good from one that gives leadership away, which takes no
 * longer than a bound. Used in one thread.
 */
public final class StuckLeadership {
    private boolean refusing;
    private long sinceNanos;
    private long refusalsBefore;

    /**
     * @param nanoTime monotonic
     * @param nanosMax above what any transfer takes
     * @param leads and is not known to give leadership away
     * @param refusals in a row
     * @return true if it has refused throughout that time and still does: it is stuck
     */
    public boolean look(long nanoTime, long nanosMax, boolean leads, long refusals) {
        if (!leads || refusals == 0) {
            refusing = false;
            return false;
        }
        if (!refusing) {
            refusing = true;
            sinceNanos = nanoTime;
            refusalsBefore = refusals;
            return false;
        }
        // The last of them may be old.
        boolean stillRefuses = refusals > refusalsBefore;
        boolean stuck = stillRefuses && nanoTime - sinceNanos >= nanosMax;
        if (stuck) {
            refusing = false;
        } else if (nanoTime - sinceNanos < nanosMax) {
            refusalsBefore = refusals;
        }
        return stuck;
    }
}
