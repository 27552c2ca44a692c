package photon.dispatcher.flow;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import photon.core.time.IntervalClock;
import photon.dispatcher.rules.HistoryPace;
import photon.dispatcher.rules.KeptPositions;
import photon.storage.ledger.LedgerAge;
import photon.storage.tail.Checkpoint;
import photon.storage.tail.FilePosition;

/**
 * Stores how far the files are done. Only offsets that the main loop has seen pass go in, and these
 * pass an event only once what replaces it is durable. Main loop.
 */
final class Checkpoints {
    private final LogReader reader;
    private final JournalWriter journal;
    private final IntervalClock clock;
    private final LongSupplier boundaryMicros;
    private final Duration keepLedgers;
    private final KeptPositions kept;
    private final HistoryPace history = new HistoryPace();
    private boolean writing;

    /**
     * @param resume of an earlier life
     * @param boundaryMicros as far as this process has heard
     * @param keepLedgers so long an entry of the ledger stands at least
     * @param movedMax see {@link KeptPositions#MOVED_MAX}
     */
    Checkpoints(
            LogReader reader,
            JournalWriter journal,
            Checkpoint resume,
            IntervalClock clock,
            LongSupplier boundaryMicros,
            Duration keepLedgers,
            int movedMax) {
        this.reader = reader;
        this.journal = journal;
        this.clock = clock;
        this.boundaryMicros = boundaryMicros;
        this.keepLedgers = keepLedgers;
        this.kept = new KeptPositions(resume, clock.now().latestMicros() / 1_000, movedMax);
    }

    boolean writing() {
        return writing;
    }

    /** Positions that are kept. */
    int files() {
        return kept.size();
    }

    /**
     * Stores these; nothing may be being stored.
     *
     * @param retired told the numbers of files of which nothing more comes
     */
    void store(Map<Integer, Long> movedOffsets, Retired retired, Runnable done) {
        writing = true;
        boolean whole = kept.wholeIsDue();
        reader.positions(
                movedOffsets,
                whole,
                answer -> {
                    answer.positions().forEach(kept::learn);
                    retired.accept(answer.retired());
                    if (whole) {
                        drop(answer.longAbsent());
                    }
                    journal.checkpoint(
                            kept.take(whole),
                            forHistory(),
                            LedgerAge.of(boundaryMicros.getAsLong(), clock, keepLedgers),
                            () -> {
                                writing = false;
                                done.run();
                            });
                });
    }

    /** All positions when the history is due for an entry; otherwise empty. */
    private Optional<List<FilePosition>> forHistory() {
        return history.isDue(clock.now().latestMicros() / 1_000, kept.size())
                ? Optional.of(kept.all())
                : Optional.empty();
    }

    private void drop(List<FilePosition> longAbsent) {
        List<String> dropped =
                kept.drop(
                        longAbsent,
                        boundaryMicros.getAsLong(),
                        clock.now().earliestMicros() / 1_000);
        if (!dropped.isEmpty()) {
            reader.forget(dropped);
        }
    }

    /** Hears of files that the tail has let go of. */
    @FunctionalInterface
    interface Retired {
        void accept(List<Integer> files);
    }
}
