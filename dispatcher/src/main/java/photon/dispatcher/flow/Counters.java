package photon.dispatcher.flow;

import photon.core.id.EventId;
import photon.core.metrics.StageDelays;
import photon.dispatcher.rules.Stagger;
import photon.dispatcher.state.DispatchStage;
import photon.dispatcher.state.DispatcherStatus;
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

    /** Since when nothing more is read for want of room, Unix milliseconds; 0: there is room. */
    long noRoomSinceMillis;

    boolean caughtUp;

    /** Looks at the logs that have ended. */
    long polls;

    long sent;
    long joined;
    long alreadyJoined;
    long skipped;

    /** Of these, too old, and not because their primary events had not come. */
    long tooLate;

    long deadLettered;
    long outcomeLost;
    long repairRows;
    long woken;
    long newestJoinedForOthersMicros;

    /** Of events that were joined without. */
    long latePrimaries;

    /** Of events that were joined without: there is no room to watch them. */
    long unwatched;

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

    /**
     * As of now.
     *
     * @param onTheWay events and rows that are looked up, at a joiner, or being written down
     * @param live of these, those that do not come from the journal
     */
    DispatcherStatus status(
            int onTheWay,
            int live,
            Intake intake,
            JournalWriter.View view,
            int files,
            LedgerRetention.Figures ledger) {
        return new DispatcherStatus(
                eventsRead,
                badRecords,
                caughtUp,
                polls,
                onTheWay + intake.ready(),
                intake.ready(),
                intake.held(),
                intake.gated(),
                view.waiting(),
                view.watched(),
                view.processing(),
                woken,
                live + intake.ready() + intake.held() + intake.gated() + view.unsettled(),
                intake.held() + view.behind(),
                lag.bytes(),
                TailLag.earlier(lag.sinceMillis(), noRoomSinceMillis),
                lag.troubles(),
                sent,
                joined,
                alreadyJoined,
                latePrimaries,
                unwatched,
                skipped,
                tooLate,
                deadLettered,
                outcomeLost,
                repairRows,
                lastNewEventNanos,
                newestJoinedForOthersMicros,
                files,
                view.bytes(),
                ledger);
    }

    void entered(LedgerEntry.Kind kind) {
        switch (kind) {
            case SKIPPED -> skipped++;
            case DEAD_LETTER -> deadLettered++;
            case OUTCOME_LOST -> outcomeLost++;
            case BAD_RECORD -> {}
        }
    }
}
