package photon.dispatcher.rules;

import photon.storage.tail.CheckpointHistory;

/**
 * How often the history of checkpoints gets an entry: every ten seconds, and the rarer the more
 * files there are, since an entry names them all. Not thread-safe.
 */
public final class HistoryPace {
    private static final int FILES_PER_DISTANCE = 500;

    private long lastMillis = -1;

    /**
     * True if one is due; it counts as made then. So it is when the clock was set back.
     *
     * @param nowMillis since 1970
     */
    public boolean isDue(long nowMillis, int files) {
        long distance = CheckpointHistory.DISTANCE_MILLIS * (1 + files / FILES_PER_DISTANCE);
        if (nowMillis >= lastMillis && nowMillis - lastMillis < distance && lastMillis >= 0) {
            return false;
        }
        lastMillis = nowMillis;
        return true;
    }
}
