package photon.dispatcher.flow;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.crash.CrashPoint;
import photon.core.crash.CrashPoints;
import photon.core.error.BugHandler;
import photon.core.loop.EventLoop;
import photon.dispatcher.rules.RetryPolicy;
import photon.storage.journal.JournalRow;
import photon.storage.journal.OpenJournal;
import photon.storage.journal.Sweep;
import photon.storage.ledger.LedgerAge;
import photon.storage.ledger.LedgerRetention;
import photon.storage.tail.CheckpointFiles;
import photon.storage.tail.FilePosition;

/**
 * Owns the files that the dispatcher writes, in the journal's loop; called from the main loop,
 * where answers arrive. A file that cannot be written stops the dispatcher: what a failed sync has
 * left behind is not known, so nothing may be built on it.
 */
final class JournalWriter {
    private static final Logger log = LoggerFactory.getLogger(JournalWriter.class);

    private static final Duration LEDGER_EVERY = Duration.ofMinutes(1);

    private final EventLoop loop;
    private final EventLoop main;
    private final StateFiles state;
    private final CrashPoints crashPoints;
    private final LongSupplier latestMillis;
    private final BugHandler failures;
    private final HeldUp heldUp = new HeldUp();
    private @Nullable Sweep sweep;
    private long ledgerNanos;
    private boolean broken;

    /**
     * @param latestMillis what the time is at most, in milliseconds since 1970
     */
    JournalWriter(
            EventLoop loop,
            EventLoop main,
            StateFiles state,
            CrashPoints crashPoints,
            LongSupplier latestMillis,
            BugHandler failures) {
        this.loop = loop;
        this.main = main;
        this.state = state;
        this.crashPoints = crashPoints;
        this.latestMillis = latestMillis;
        this.failures = failures;
        this.ledgerNanos = loop.nanoTime();
    }

    /**
     * The journal at one moment.
     *
     * @param nextDueMillis {@link Long#MAX_VALUE} if no row waits
     * @param waiting rows that wait to be joined; less while watched ones are processing
     * @param watched rows of events that were joined without their primary event
     * @param unsettled rows, waiting or processing, that do not just wait for their primary event
     *     or for their own time
     * @param behind of these, rows that wait since the event store was behind; less while rows are
     *     processing
     * @param sweeping a round of retries is going on
     * @param bytes heap that the rows take, about
     */
    record View(
            long nextDueMillis,
            int waiting,
            int watched,
            int processing,
            int unsettled,
            int behind,
            boolean sweeping,
            long bytes) {}

    /** Makes a settlement durable. */
    void settle(Settlement settlement, Consumer<View> done) {
        run(
                () -> {
                    // The ledger first: a row may go only after what replaces it is durable.
                    settlement.entries.forEach(state.ledger()::append);
                    state.ledger().sync();
                    OpenJournal journal = state.journal();
                    for (JournalRow row : settlement.puts) {
                        journal.put(row);
                    }
                    for (OpenJournal.Taken taken : settlement.finished) {
                        journal.finish(taken);
                    }
                    for (Settlement.Again again : settlement.again) {
                        journal.again(
                                again.taken(),
                                again.dueMillis(),
                                again.attempts(),
                                again.reason(),
                                again.attemptOpen());
                    }
                    for (JournalRow row : settlement.follow) {
                        journal.put(row);
                    }
                    journal.commit();
                    if (settlement.hasRepairs()) {
                        // The verifier goes on by our answer; of other rows the checkpoint tells.
                        state.checkOwned();
                    }
                    if (!settlement.puts.isEmpty()) {
                        crashPoints.passed(CrashPoint.JOURNAL_WRITTEN);
                    }
                    answer(done);
                });
    }

    /**
     * A row that is worth a try at this time.
     *
     * @param row may be gone, or on its way, by now: then nothing happens
     */
    record Due(JournalRow.Key row, long millis) {}

    void due(List<Due> rows, Consumer<View> done) {
        run(
                () -> {
                    rows.forEach(due -> state.journal().dueBy(due.row(), due.millis()));
                    answer(done);
                });
    }

    /** All rows of this reason are worth a try at this time. */
    void allDue(String reason, long millis, Consumer<View> done) {
        run(
                () -> {
                    state.journal().allDueBy(reason, millis);
                    answer(done);
                });
    }

    void takeDue(long nowMillis, int max, BiConsumer<List<OpenJournal.Taken>, View> done) {
        run(
                () -> {
                    List<OpenJournal.Taken> taken = state.journal().takeDue(nowMillis, max);
                    View view = view();
                    main.execute(() -> done.accept(taken, view));
                });
    }

    /** Begins a round of retries; the one before it must have ended. */
    void sweep(long nowMillis, Consumer<View> begun) {
        run(
                () -> {
                    sweep = state.journal().sweep(nowMillis);
                    answer(begun);
                });
    }

    /**
     * Answers when the change is durable.
     *
     * @param ledgerEnds what may leave the ledger
     */
    void checkpoint(
            CheckpointFiles.Change change,
            Optional<List<FilePosition>> forHistory,
            LedgerAge ledgerEnds,
            Runnable done) {
        run(
                () -> {
                    state.writeCheckpoint(change);
                    crashPoints.passed(CrashPoint.CHECKPOINT_WRITTEN);
                    forHistory.ifPresent(all -> state.noteHistory(all, latestMillis.getAsLong()));
                    main.execute(done);
                    shortenLedger(ledgerEnds);
                });
    }

    /** Once a minute. */
    private void shortenLedger(LedgerAge ends) {
        if (loop.nanoTime() - ledgerNanos >= LEDGER_EVERY.toNanos()) {
            ledgerNanos = loop.nanoTime();
            state.ledgerRetention().pass(ends, entry -> false);
        }
    }

    /** How old the rows are that something holds up. Thread-safe. */
    HeldUp.Rows heldUp() {
        return heldUp.rows();
    }

    /** What the ledger holds. Thread-safe. */
    LedgerRetention.Figures ledger() {
        return state.ledgerRetention().figures();
    }

    /**
     * Comes first.
     *
     * @param delayMaxMillis a row that is due later was told so by another clock: it is due now
     */
    void begin(long nowMillis, long delayMaxMillis, Consumer<View> begun) {
        run(
                () -> {
                    state.journal().mendTimes(nowMillis, delayMaxMillis);
                    answer(begun);
                });
    }

    /** Files are closed; a trouble with that changes nothing about what is durable. */
    void close(Runnable done) {
        loop.execute(
                () -> {
                    broken = true;
                    try {
                        state.close();
                    } catch (IOException e) {
                        log.warn("The dispatcher's files did not close", e);
                    }
                    main.execute(done);
                });
    }

    private void answer(Consumer<View> to) {
        View view = view();
        main.execute(() -> to.accept(view));
    }

    private View view() {
        OpenJournal journal = state.journal();
        boolean sweeping = sweep != null && !sweep.done();
        int waiting = journal.waiting();
        int processing = journal.processing();
        int watched = journal.ofReason(RetryPolicy.WATCHED);
        int unsettled =
                waiting
                        + processing
                        - journal.ofReason(RetryPolicy.WAITING)
                        - journal.ofReason(RetryPolicy.AHEAD)
                        - watched;
        heldUp.look(journal, unsettled, loop.nanoTime());
        return new View(
                journal.nextDueMillis(),
                Math.max(0, waiting - watched),
                watched,
                processing,
                unsettled,
                Math.max(0, journal.ofReason(RetryPolicy.EVENT_STORE_BEHIND) - processing),
                sweeping,
                journal.indexBytes());
    }

    private void run(FileWork work) {
        loop.execute(
                () -> {
                    if (broken) {
                        return;
                    }
                    try {
                        work.run();
                    } catch (IOException e) {
                        broken = true;
                        failures.onBug("the dispatcher's state in " + state.directory(), e);
                    }
                });
    }

    /** Work on files. */
    @FunctionalInterface
    private interface FileWork {
        void run() throws IOException;
    }
}
