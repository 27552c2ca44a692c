package photon.dispatcher.flow;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import photon.core.loop.EventLoop;
import photon.storage.journal.OpenJournal;

/**
 * Takes rows of the retry journal when they are due, as far as there is room, and runs the rounds
 * in which all are tried at once. Main loop.
 */
final class DueRows {
    /** Rows that fall due one by one are taken together this often at the most. */
    private static final Duration PAUSE = Duration.ofMillis(50);

    private static final int TAKE_MAX = 1_024;

    private final JournalWriter journal;
    private final EventLoop loop;
    private final RowClock clock;
    private final Consumer<PendingEvent> taken;
    private final Runnable wake;
    private final ArrayDeque<CompletableFuture<@Nullable Void>> sweepsWanted = new ArrayDeque<>();
    private @Nullable CompletableFuture<@Nullable Void> sweep;
    private JournalWriter.View view =
            new JournalWriter.View(Long.MAX_VALUE, 0, 0, 0, 0, 0, false, 0);
    private boolean taking;
    private boolean sweepBegun;
    private boolean stopped;
    private long pausedUntilNanos;

    DueRows(
            JournalWriter journal,
            EventLoop loop,
            RowClock clock,
            Consumer<PendingEvent> taken,
            Runnable wake) {
        this.journal = journal;
        this.loop = loop;
        this.clock = clock;
        this.taken = taken;
        this.wake = wake;
        this.pausedUntilNanos = loop.nanoTime();
    }

    JournalWriter.View view() {
        return view;
    }

    /** How the journal stands now. */
    void viewed(JournalWriter.View now) {
        view = now;
        CompletableFuture<@Nullable Void> running = sweep;
        if (running != null && sweepBegun && !now.sweeping()) {
            sweep = null;
            sweepBegun = false;
            running.complete(null);
        }
    }

    /** Every row that stands now is tried once more; completed when the last one was. */
    void sweep(CompletableFuture<@Nullable Void> done) {
        sweepsWanted.add(done);
        wake.run();
    }

    /**
     * Takes what is due.
     *
     * @param room how many more may be on their way
     */
    void pump(int room) {
        beginSweep();
        long nowMillis = clock.millis();
        if (stopped
                || taking
                || room <= 0
                || view.nextDueMillis() > nowMillis
                || pausedUntilNanos - loop.nanoTime() > 0) {
            return;
        }
        taking = true;
        journal.takeDue(nowMillis, Math.min(room, TAKE_MAX), this::took);
    }

    private void beginSweep() {
        if (sweep != null || sweepsWanted.isEmpty()) {
            return;
        }
        sweep = sweepsWanted.remove();
        journal.sweep(
                clock.millis(),
                begun -> {
                    sweepBegun = true;
                    viewed(begun);
                    wake.run();
                });
    }

    private void took(List<OpenJournal.Taken> rows, JournalWriter.View now) {
        taking = false;
        if (rows.size() < TAKE_MAX) {
            pausedUntilNanos = loop.nanoTime() + PAUSE.toNanos();
        }
        for (OpenJournal.Taken row : rows) {
            taken.accept(PendingEvent.taken(row));
        }
        viewed(now);
        wake.run();
    }

    /** How long until rows may be taken; -1 if none waits. */
    long waitNanos() {
        if (stopped || taking || view.nextDueMillis() == Long.MAX_VALUE) {
            return -1;
        }
        long due = (view.nextDueMillis() - clock.millis()) * 1_000_000;
        return Math.max(0, Math.max(due, pausedUntilNanos - loop.nanoTime()));
    }

    void stop() {
        stopped = true;
    }

    boolean idle() {
        return !taking;
    }
}
