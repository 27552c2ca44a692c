package photon.testbed.chaos;

/**
 * What has happened, and when, by this process's monotonic clock.
 *
 * @param undoneNanos nothing was taken away any more
 * @param endNanos all was there again
 * @param outcome how it ended
 * @param what for people
 */
record ActionRecord(
        ActionKind kind,
        long startNanos,
        long undoneNanos,
        long endNanos,
        String outcome,
        String what) {}
