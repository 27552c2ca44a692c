package photon.dispatcher.state;

import photon.storage.ledger.LedgerRetention;
import photon.storage.tail.LogTroubles;
import photon.storage.tail.TailLag;

/**
 * A dispatcher at one moment; counts are since its start.
 *
 * @param eventsRead events read from the foreign logs
 * @param badRecords records without a usable identity
 * @param caughtUp the last poll of the logs found every file read to its end
 * @param polls looks at the logs that have ended; one that hangs is not among them; {@link
 *     #NO_LOGS} without logs to look at
 * @param inFlight events on their way: looked up, at the joiner, or being written down
 * @param ready of these, events that were read and wait for a place on the way
 * @param held events that wait for another datacenter's turn
 * @param gated events that wait for the event store to read as far
 * @param waitingRows rows of the retry journal that wait to be joined
 * @param watchedRows rows of events that were joined without their primary event, which may come
 * @param processingRows rows that are on their way (counted in {@code inFlight}, too)
 * @param woken rows that were tried at once, since the event store told of their primary event
 * @param unsettled events and rows that are neither settled nor just waiting for their primary
 *     event or their own time
 * @param deferred of these, those that {@link photon.dispatcher.flow.Flow#tryDeferred} would try
 * @param lagBytes bytes of the logs that are known to wait unread
 * @param unreadSinceMillis about when the oldest of it was logged, milliseconds since 1970; 0: all
 *     is read
 * @param troubles of the foreign logs
 * @param sent attempts handed to the joiner
 * @param joined attempts that the joiner answered with joined
 * @param alreadyJoined events that somebody else had joined, by lookup or by the joiner's answer
 * @param latePrimaries primary events that came after their event had been joined without
 * @param unwatched events that were joined without their primary event, and are not watched, since
 *     too many others are: nobody notices if it comes
 * @param skipped events that went to the ledger as skipped
 * @param tooLate of these, events that came too late, or that something other than a missing
 *     primary event held up until they were too old
 * @param deadLettered events that went to the ledger as dead letters
 * @param outcomeLost events that went to the ledger because nobody can tell
 * @param repairRows repair rows that came in
 * @param lastNewEventNanos when the last event was read, by the main loop's clock ({@code
 *     System.nanoTime()} in a process); the start if none was
 * @param newestJoinedForOthersMicros the highest timestamp of an event that was joined here though
 *     it prefers another datacenter; 0 if none was
 * @param files positions of files that the checkpoint keeps
 * @param journalBytes heap that retry rows take, about
 * @param ledger what the ledger holds
 */
public record DispatcherStatus(
        long eventsRead,
        long badRecords,
        boolean caughtUp,
        long polls,
        int inFlight,
        int ready,
        int held,
        int gated,
        int waitingRows,
        int watchedRows,
        int processingRows,
        long woken,
        int unsettled,
        int deferred,
        long lagBytes,
        long unreadSinceMillis,
        LogTroubles troubles,
        long sent,
        long joined,
        long alreadyJoined,
        long latePrimaries,
        long unwatched,
        long skipped,
        long tooLate,
        long deadLettered,
        long outcomeLost,
        long repairRows,
        long lastNewEventNanos,
        long newestJoinedForOthersMicros,
        int files,
        long journalBytes,
        LedgerRetention.Figures ledger) {

    /** Of {@code polls}. */
    public static final long NO_LOGS = Long.MAX_VALUE;

    /** Before the first look. */
    public static final DispatcherStatus NOTHING =
            new DispatcherStatus(
                    0,
                    0,
                    false,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    LogTroubles.NONE,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    LedgerRetention.Figures.NOTHING_KNOWN);

    /** Of one that works on no partition. */
    public static final DispatcherStatus NOTHING_TO_DO =
            new DispatcherStatus(
                    0,
                    0,
                    true,
                    NO_LOGS,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    LogTroubles.NONE,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    LedgerRetention.Figures.NOTHING_KNOWN);

    /** Together with that of other partitions. */
    public DispatcherStatus and(DispatcherStatus other) {
        return new DispatcherStatus(
                eventsRead + other.eventsRead,
                badRecords + other.badRecords,
                caughtUp && other.caughtUp,
                Math.min(polls, other.polls),
                inFlight + other.inFlight,
                ready + other.ready,
                held + other.held,
                gated + other.gated,
                waitingRows + other.waitingRows,
                watchedRows + other.watchedRows,
                processingRows + other.processingRows,
                woken + other.woken,
                unsettled + other.unsettled,
                deferred + other.deferred,
                lagBytes + other.lagBytes,
                TailLag.earlier(unreadSinceMillis, other.unreadSinceMillis),
                troubles.and(other.troubles),
                sent + other.sent,
                joined + other.joined,
                alreadyJoined + other.alreadyJoined,
                latePrimaries + other.latePrimaries,
                unwatched + other.unwatched,
                skipped + other.skipped,
                tooLate + other.tooLate,
                deadLettered + other.deadLettered,
                outcomeLost + other.outcomeLost,
                repairRows + other.repairRows,
                later(lastNewEventNanos, other.lastNewEventNanos),
                Math.max(newestJoinedForOthersMicros, other.newestJoinedForOthersMicros),
                files + other.files,
                journalBytes + other.journalBytes,
                new LedgerRetention.Figures(
                        ledger.bytes() + other.ledger.bytes(),
                        ledger.segments() + other.ledger.segments(),
                        ledger.ended() + other.ledger.ended()));
    }

    /** Of two moments of one clock, the later; 0 is none. */
    private static long later(long nanos, long others) {
        if (nanos == 0 || others == 0) {
            return nanos == 0 ? others : nanos;
        }
        return nanos - others > 0 ? nanos : others;
    }

    /** What was done stays done when others go on with the rest. */
    public DispatcherStatus asEnded() {
        return new DispatcherStatus(
                eventsRead,
                badRecords,
                true,
                NO_LOGS,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                woken,
                0,
                0,
                0,
                0,
                LogTroubles.NONE,
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
                0,
                0,
                LedgerRetention.Figures.NOTHING_KNOWN);
    }
}
