package photon.verifier.repair;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.storage.tail.CheckpointHistory;
import photon.storage.tail.FilePosition;
import photon.verifier.source.CheckpointTimes;

/**
 * Decides from where lost events are looked for first: the newest checkpoint that the dispatcher
 * had written before the oldest of them happened, of each partition of its state. Offsets cannot
 * have passed an event that did not exist, and this holds for one that waited in the journal too,
 * which offsets pass long before it is committed. Clocks of other machines made the events'
 * timestamps, so this is a place to start and nothing else: what is not found from there is looked
 * for everywhere. Files of a partition that has no checkpoint of that time are read whole: one that
 * has no files yet keeps no other from starting later.
 */
final class ReadingStart {
    private static final Logger log = LoggerFactory.getLogger(ReadingStart.class);

    /** By how much clocks may differ without a second reading. */
    static final long SLACK_MILLIS = 60_000;

    private ReadingStart() {}

    /**
     * @param oldestMicros timestamp of the oldest that is looked for, in microseconds since 1970
     * @return positions to start at, of files that are not to be read whole; empty: nothing is
     *     known
     */
    static List<FilePosition> of(CheckpointTimes history, long oldestMicros) {
        long beforeMillis = TimeUnit.MICROSECONDS.toMillis(oldestMicros) - SLACK_MILLIS;
        List<FilePosition> start = new ArrayList<>();
        try {
            for (CheckpointHistory partition : history.read()) {
                partition
                        .before(beforeMillis)
                        .ifPresent(entry -> start.addAll(read(entry.positions())));
            }
        } catch (IOException e) {
            log.warn("Every log is read, since the history of checkpoints cannot be", e);
            return List.of();
        }
        return List.copyOf(start);
    }

    private static List<FilePosition> read(List<FilePosition> positions) {
        return positions.stream().filter(position -> position.offset() > 0).toList();
    }
}
