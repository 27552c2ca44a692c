package photon.dispatcher.flow;

import photon.core.id.EventId;
import photon.core.metrics.StageDelays;
import photon.dispatcher.DispatchStage;
import photon.dispatcher.DispatcherStatus;
import photon.dispatcher.rules.Stagger;
import photon.storage.ledger.LedgerEntry;
import photon.storage.ledger.LedgerRetention;
import photon.storage.tail.TailLag;

/** What a dispatcher counts since its start. Main loop. */
final class Counters {
    final StageDelays<DispatchStage> stages = new StageDelays<>(DispatchStage.class);
    long eventsRead;
    long badRecords;
    long lastNewEventNanos;
    TailLag lag = TailLag.NONE;
    boolean caughtUp;

    /** Looks at the logs that have ended. */
    long polls;

    long sent;
    long joined;
    long alreadyJoined;
    long skipped;
    long deadLettered;
    long outcomeLost;
    long repairRows;
    long woken;
    long newestJoinedForOthersMicros;

    void newEvent(long nanoTime) {
        eventsRead++;
        lastNewEventNanos = nanoTime;
    }

    void joinedHere(EventId id, Stagger stagger) {
        joined++;
        if (!stagger.prefersUs(id)) {
            newestJoinedForOthersMicros = Math.max(newestJoinedForOthersMicros, id.micros());
        }
    }

    void entered(LedgerEntry.Kind kind) {
        switch (kind) {
            case SKIPPED -> skipped++;
            case DEAD_LETTER -> deadLettered++;
            case OUTCOME_LOST -> outcomeLost++;
            case BAD_RECORD -> {}
        }
    }

    /**
     * As it stands now.
     *
     * @param live events on their way that a log was read for
     * @param rows those that come from the journal
     * @param files in the checkpoint
     */
    DispatcherStatus status(
            Intake intake,
            JournalWriter.View view,
            int live,
            int rows,
            int files,
            LedgerRetention.Figures ledger) {
        return new DispatcherStatus(
                eventsRead,
                badRecords,
                caughtUp,
                polls,
                live + rows + intake.ready(),
                intake.ready(),
                intake.held(),
                intake.gated(),
                view.waiting(),
                view.processing(),
                woken,
                live + intake.ready() + intake.held() + intake.gated() + view.unsettled(),
                intake.held() + view.behind(),
                lag.bytes(),
                lag.sinceMillis(),
                sent,
                joined,
                alreadyJoined,
                skipped,
                deadLettered,
                outcomeLost,
                repairRows,
                lastNewEventNanos,
                newestJoinedForOthersMicros,
                files,
                view.bytes(),
                ledger);
    }
}
