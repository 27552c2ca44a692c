package photon.verifier.repair;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.storage.tail.CheckpointHistory;
import photon.storage.tail.FilePosition;
import photon.verifier.source.CheckpointTimes;

/**
 * Decides from where lost events are looked for first: the newest checkpoint that the dispatcher
 * had written before the oldest of them happened. Offsets cannot have passed an event that did not
 * exist, and this holds for one that waited in the journal too, which offsets pass long before it
 * is committed. Clocks of other machines made the events' timestamps, so this is a place to start
 * and nothing else: what is not found from there is looked for everywhere.
 */
final class ReadingStart {
    private static final Logger log = LoggerFactory.getLogger(ReadingStart.class);

    /** By how much clocks may differ without a second reading. */
    static final long SLACK_MILLIS = 60_000;

    private ReadingStart() {}

    /**
     * @param oldestMicros timestamp of the oldest that is looked for, in microseconds since 1970
     * @return positions to start at; empty: nothing is known, everything is to be read
     */
    static List<FilePosition> of(CheckpointTimes history, long oldestMicros) {
        CheckpointHistory known;
        try {
            known = history.read();
        } catch (IOException e) {
            log.warn("Every log is read, since the history of checkpoints cannot be", e);
            return List.of();
        }
        Optional<CheckpointHistory.Entry> start =
                known.before(TimeUnit.MICROSECONDS.toMillis(oldestMicros) - SLACK_MILLIS);
        return start.map(entry -> read(entry.positions())).orElse(List.of());
    }

    private static List<FilePosition> read(List<FilePosition> positions) {
        return positions.stream().filter(position -> position.offset() > 0).toList();
    }
}
